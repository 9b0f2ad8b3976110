/* Two sections walk one list, and a third changes another whose nodes lie between. */
#include <stdio.h>
#include <stdlib.h>
struct node{struct node*next;long key,val;char pad[40];};
#define N 1500
static struct node pool[2*N];
static long suma,maxa,chg;
int main(void){unsigned s=3;struct node*a=0,*b=0;
 static int perm[2*N];for(int i=0;i<2*N;i++)perm[i]=i;
 for(int i=2*N-1;i>0;i--){s=s*1664525u+1013904223u;int j=(s>>8)%(i+1),x=perm[i];perm[i]=perm[j];perm[j]=x;}
 for(int i=0;i<2*N;i++){struct node*n=&pool[perm[i]];n->key=i*37%1009;n->val=i;if(i&1){n->next=a;a=n;}else{n->next=b;b=n;}}
 for(int f=0;f<20;f++){
  #pragma omp parallel sections
  {
  #pragma omp section
  {long x=0;for(struct node*n=a;n;n=n->next)x+=n->val;suma+=x;}
  #pragma omp section
  {long m=0;for(struct node*n=a;n;n=n->next)if(n->key>m)m=n->key;maxa+=m;}
  #pragma omp section
  {long c=0;for(struct node*n=b;n;n=n->next){n->val+=f;c++;}chg+=c;}
  }
  struct node*x=a;a=b;b=x;
 }
 printf("%ld %ld %ld\n",suma,maxa,chg);return 0;}
