/* A hash table that code outside of the loop fills, and threads look up. */
#include <stdio.h>
#define S 8192
#define Q 4000
static unsigned keys[S],vals[S],q[Q],r[Q];
static unsigned h(unsigned k){return (k*2654435761u)>>19;}
int main(void){unsigned s=5,sum=0;
 for(int f=0;f<5;f++){
  for(int i=0;i<600;i++){s=s*1664525u+1013904223u;unsigned k=s|1,p=h(k);while(keys[p])p=(p+1)%S;keys[p]=k;vals[p]=i;q[(i*6)%Q]=k;}
  for(int i=0;i<Q;i++)if(i%6){s=s*1664525u+1013904223u;q[i]=s|1;}
  #pragma omp parallel for
  for(int i=0;i<Q;i++){unsigned p=h(q[i]),x=0;while(keys[p]){if(keys[p]==q[i]){x=vals[p];break;}p=(p+1)%S;}r[i]=x;}
  for(int i=0;i<Q;i++)sum+=r[i];
 }
 printf("%u\n",sum);return 0;}
