/* A matrix that threads transpose in blocks, and that others then pass through by rows. */
#include <stdio.h>
#define N 96
#define B 8
static double a[N][N],t[N][N];
int main(void){
 for(int i=0;i<N;i++)for(int j=0;j<N;j++)a[i][j]=i*N+j;
 for(int f=0;f<6;f++){
 #pragma omp parallel for
 for(int ib=0;ib<N;ib+=B)for(int jb=0;jb<N;jb+=B)for(int i=ib;i<ib+B;i++)for(int j=jb;j<jb+B;j++)t[j][i]=a[i][j];
 #pragma omp parallel for
 for(int i=0;i<N;i++){double x=0;for(int j=0;j<N;j++){x=0.5*x+t[i][j];a[i][j]=x;}}
 }
 printf("%f\n",a[5][7]);return 0;}
