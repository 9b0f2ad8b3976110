; Functions of an instrumented module, a template of package text/template. Each stands
; apart by an empty line.

; Hands each counter that is not zero to the run-time library, in ascending order. Nearly
; all are zero, so blocks of them are looked at together.
define void @__pathspan_each_counter() nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %after, %next ]
  %more = icmp ult i64 %i, {{.Counters}}
  br i1 %more, label %look, label %done
look:
  %first = {{at .Array "__pathspan_counters" "%i"}}
  %block = bitcast {{ptr "i64"}} %first to {{ptr (printf "<%d x i64>" .Block)}}
  %words = load <{{.Block}} x i64>, {{ptr (printf "<%d x i64>" .Block)}} %block, align 16
  %any = call i64 @llvm.vector.reduce.or.v{{.Block}}i64(<{{.Block}} x i64> %words)
  %zero = icmp eq i64 %any, 0
  br i1 %zero, label %next, label %each
each:
  %j = phi i64 [ %i, %look ], [ %k, %step ]
  %p = {{at .Array "__pathspan_counters" "%j"}}
  %v = load i64, {{ptr "i64"}} %p, align 8
  %none = icmp eq i64 %v, 0
  br i1 %none, label %step, label %emit
emit:
  call void @__pathspan_emit(i64 %j, i64 %v)
  br label %step
step:
  %k = add i64 %j, 1
  %rest = urem i64 %k, {{.Block}}
  %end = icmp eq i64 %rest, 0
  br i1 %end, label %next, label %each
next:
  %after = add i64 %i, {{.Block}}
  br label %head
done:
  ret void
}

; Counts a call of a target at a site. It is inlined there: five instructions or so where
; the site's table holds the target. The offset of its entry is a part of its address.
define internal void @__pathspan_called(i64 %site, {{ptr "i8"}} %target) alwaysinline nounwind {
entry:
  %t = ptrtoint {{ptr "i8"}} %target to i64
  %offset = and i64 %t, {{.EntryMask}}
  %first = shl i64 %site, {{.SiteLog}}
  %table = getelementptr inbounds i8, {{ptr "i8"}} {{.Calls}}, i64 %first
  %at = getelementptr inbounds i8, {{ptr "i8"}} %table, i64 %offset
  %target.p = bitcast {{ptr "i8"}} %at to {{ptr "i64"}}
{{- if .Threads}}
  %have = load atomic i64, {{ptr "i64"}} %target.p monotonic, align 8
{{- else}}
  %have = load i64, {{ptr "i64"}} %target.p, align 8
{{- end}}
  %same = icmp eq i64 %have, %t
  br i1 %same, label %hit, label %miss, !prof !{{.Likely}}
hit:
  %behind = getelementptr inbounds i8, {{ptr "i8"}} %at, i64 8
  %count.p = bitcast {{ptr "i8"}} %behind to {{ptr "i64"}}
{{- if .Threads}}
  %old = atomicrmw add {{ptr "i64"}} %count.p, i64 1 monotonic
{{- else}}
  %old = load i64, {{ptr "i64"}} %count.p, align 8
  %new = add i64 %old, 1
  store i64 %new, {{ptr "i64"}} %count.p, align 8
{{- end}}
  ret void
miss:
  call void @__pathspan_missed(i64 %site, {{ptr "i8"}} %target)
  ret void
}

{{if .Threads -}}
; Takes the entry for the target if no other has it; else the library counts the call.
{{- else -}}
; Gives the entry to the target, and what another had counted in it to the library.
{{- end}}
define internal void @__pathspan_missed(i64 %site, {{ptr "i8"}} %target) cold noinline nounwind {
entry:
  %t = ptrtoint {{ptr "i8"}} %target to i64
  %offset = and i64 %t, {{.EntryMask}}
  %first = shl i64 %site, {{.SiteLog}}
  %table = getelementptr inbounds i8, {{ptr "i8"}} {{.Calls}}, i64 %first
  %at = getelementptr inbounds i8, {{ptr "i8"}} %table, i64 %offset
  %target.p = bitcast {{ptr "i8"}} %at to {{ptr "i64"}}
  %behind = getelementptr inbounds i8, {{ptr "i8"}} %at, i64 8
  %count.p = bitcast {{ptr "i8"}} %behind to {{ptr "i64"}}
{{- if .Threads}}
  %pair = cmpxchg {{ptr "i64"}} %target.p, i64 0, i64 %t monotonic monotonic
  %have = extractvalue { i64, i1 } %pair, 0
  %took = extractvalue { i64, i1 } %pair, 1
  %same = icmp eq i64 %have, %t
  %ours = or i1 %took, %same
  br i1 %ours, label %hit, label %taken
hit:
  %old = atomicrmw add {{ptr "i64"}} %count.p, i64 1 monotonic
  ret void
taken:
  call void @__pathspan_icall(i64 %site, i64 %t, i64 1)
  ret void
{{- else}}
  %have = load i64, {{ptr "i64"}} %target.p, align 8
  %n = load i64, {{ptr "i64"}} %count.p, align 8
  store i64 %t, {{ptr "i64"}} %target.p, align 8
  store i64 1, {{ptr "i64"}} %count.p, align 8
  %any = icmp ne i64 %n, 0
  br i1 %any, label %replaced, label %done
replaced:
  call void @__pathspan_icall(i64 %site, i64 %have, i64 %n)
  br label %done
done:
  ret void
{{- end}}
}

; Hands the calls that the tables hold to the run-time library.
define void @__pathspan_each_call() nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %after, %next ]
  %more = icmp ult i64 %i, {{.Bytes}}
  br i1 %more, label %look, label %done
look:
  %at = getelementptr inbounds i8, {{ptr "i8"}} {{.Calls}}, i64 %i
  %target.p = bitcast {{ptr "i8"}} %at to {{ptr "i64"}}
  %behind = getelementptr inbounds i8, {{ptr "i8"}} %at, i64 8
  %count.p = bitcast {{ptr "i8"}} %behind to {{ptr "i64"}}
  %n = load i64, {{ptr "i64"}} %count.p, align 8
  %zero = icmp eq i64 %n, 0
  br i1 %zero, label %next, label %emit
emit:
  %site = lshr i64 %i, {{.SiteLog}}
  %t = load i64, {{ptr "i64"}} %target.p, align 8
  call void @__pathspan_emit_call(i64 %site, i64 %t, i64 %n)
  br label %next
next:
  %after = add i64 %i, 16
  br label %head
done:
  ret void
}

; Starts anew, in a child of fork.
define void @__pathspan_forget_calls() nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, {{.Bytes}}
  br i1 %more, label %body, label %done
body:
  %at = getelementptr inbounds i8, {{ptr "i8"}} {{.Calls}}, i64 %i
  %p = bitcast {{ptr "i8"}} %at to {{ptr "i64"}}
  store i64 0, {{ptr "i64"}} %p, align 8
  %next = add i64 %i, 8
  br label %head
done:
  ret void
}
