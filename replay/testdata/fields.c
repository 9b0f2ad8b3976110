/* Structures that two sections write, and of which three others each read some fields. */
#include <stdio.h>
#define N 3000
struct smp{float x,y,z;int t;};
static struct smp q[N];static float mag[N],lim[N];static int flags[N];static double tot;
int main(void){unsigned s=2;
 for(int f=0;f<8;f++){
  #pragma omp parallel sections
  {
  #pragma omp section
  for(int i=0;i<N/2;i++){s=s*1664525u+1013904223u;q[i].x=s>>20;q[i].y=i;q[i].z=f;q[i].t=i;}
  #pragma omp section
  for(int i=N/2;i<N;i++){q[i].x=i*3%101;q[i].y=i%7;q[i].z=f;q[i].t=i;}
  }
  #pragma omp parallel sections
  {
  #pragma omp section
  for(int i=0;i<N;i++)mag[i]=q[i].x*q[i].x+q[i].y*q[i].y+q[i].z*q[i].z;
  #pragma omp section
  for(int i=0;i<N;i++)flags[i]=q[i].t&7;
  #pragma omp section
  for(int i=0;i<N;i++)lim[i]=0.8f*lim[i]+q[i].z;
  }
  for(int i=0;i<N;i++)if(flags[i]==3)tot+=mag[i]+lim[i];
 }
 printf("%f\n",tot);return 0;}
