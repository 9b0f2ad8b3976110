/* A table that is made anew for each frame and looked up by threads of a loop, and a filter along columns. */
#include <stdio.h>
#define W 160
#define H 90
#define T 4096
static unsigned short img[H][W],out[H][W],lut[T];
int main(void){unsigned s=4;long sum=0;
 for(int y=0;y<H;y++)for(int x=0;x<W;x++){s=s*1664525u+1013904223u;img[y][x]=(s>>16)%T;}
 for(int f=0;f<8;f++){
  for(int i=0;i<T;i++)lut[i]=(i*(f+2)+i*i/64)&0xfff;
  #pragma omp parallel for
  for(int y=0;y<H;y++)for(int x=0;x<W;x++)out[y][x]=lut[img[y][x]];
  #pragma omp parallel for
  for(int x=0;x<W;x++){unsigned m=0;for(int y=0;y<H;y++){m=(m+out[y][x])/2;img[y][x]=(img[y][x]+m)%T;}}
  sum+=img[3][f];
 }
 printf("%ld\n",sum);return 0;}
