#ifndef TABLE_H
#define TABLE_H
#ifdef __cplusplus
extern "C"
#endif
unsigned table_sum(unsigned sum, long value);
#endif
