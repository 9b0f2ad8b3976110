/* What tasks.c tells of explicit tasks: how one was created, and which of its elder
 * siblings it waits for. The libraries that keep or stream events ask it when a mark tells
 * that a task begins. */
#ifndef PATHSPAN_TASKS_H
#define PATHSPAN_TASKS_H

#include <stdint.h>

/* Kinds of marks of tasks (ir.MarkKind). */
enum { TASK_BEGIN = 24, TASK_END, TASK_WAIT, GROUP_BEGIN, GROUP_END };

/* How the task was created that begins, or what a taskwait waits for. */
struct spawn {
  int undeferred;            /* its creator goes on behind it (if clause) */
  int final;                 /* its descendants run where they are created */
  uint32_t waits;            /* for how many elder siblings it waits, by their dependences */
  const uint32_t *distance;  /* which: 1 for the one created last, ascending */
};

/* The same of the task that is about to begin, and of the taskwait that is about to be met. */
const struct spawn *__pathspan_task_spawned(void) __attribute__((weak));
const struct spawn *__pathspan_task_awaited(void) __attribute__((weak));

/* A task begins. Null where it is a part of the one around it, which is final. */
const struct spawn *__pathspan_task_begins(void) __attribute__((weak));

/* A task ends. Returns whether it was told when it began. */
int __pathspan_task_ends(void) __attribute__((weak));

/* A taskwait is met. Null where nothing is waited for: inside of a final task. */
const struct spawn *__pathspan_task_waits(void) __attribute__((weak));

/* Whether what runs is a part of a final task. */
int __pathspan_task_included(void) __attribute__((weak));

#endif
