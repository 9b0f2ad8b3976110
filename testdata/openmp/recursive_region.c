/*
 * This file has a region in a function that calls itself from the region's
 * sections: nesting without bound in the text, cut off by size.
 */
#include <stdio.h>
#include <string.h>

static void merge(const int *a, int n, const int *b, int m, int *to)
{
    int i = 0, k = 0;
    while (i < n || k < m) {
        if (k == m || (i < n && a[i] <= b[k]))
            *to++ = a[i++];
        else
            *to++ = b[k++];
    }
}

static void merge_sort(int *a, int n, int *work)
{
    if (n < 2)
        return;
    int half = n / 2;
    if (n > 32) {
        #pragma omp parallel sections num_threads(2)
        {
            #pragma omp section
            merge_sort(a, half, work);
            #pragma omp section
            merge_sort(a + half, n - half, work + half);
        }
    } else {
        merge_sort(a, half, work);
        merge_sort(a + half, n - half, work + half);
    }
    merge(a, half, a + half, n - half, work);
    memcpy(a, work, (size_t)n * sizeof *a);
}

int main(void)
{
    static int a[500], work[500];
    unsigned x = 17;
    for (int i = 0; i < 500; i++)
        a[i] = (int)((x = x * 69069u + 5u) >> 20);
    merge_sort(a, 500, work);
    int ordered = 1;
    for (int i = 1; i < 500; i++)
        ordered &= a[i - 1] <= a[i];
    printf("ordered %d first %d middle %d last %d\n", ordered, a[0], a[250], a[499]);
    return 0;
}
