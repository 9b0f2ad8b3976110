; Functions of an instrumented module, a template of package text/template. Each stands
; apart by an empty line.

; Hands each counter that is not zero to the run-time library, in ascending order. Nearly
; all are zero, so blocks of them are looked at together.
define {{if .Part}}hidden {{end}}void @__pathspan_each_counter{{.Part}}({{if .Part}}i64 %first.counter{{end}}) nounwind {
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
  br i1 %zero, label %next, label %group
group:
  %g = phi i64 [ %i, %look ], [ %behind.group, %group.end ]
  %g.first = {{at .Array "__pathspan_counters" "%g"}}
  %g.block = bitcast {{ptr "i64"}} %g.first to {{ptr (printf "<%d x i64>" .Group)}}
  %g.words = load <{{.Group}} x i64>, {{ptr (printf "<%d x i64>" .Group)}} %g.block, align 16
  %g.any = call i64 @llvm.vector.reduce.or.v{{.Group}}i64(<{{.Group}} x i64> %g.words)
  %g.zero = icmp eq i64 %g.any, 0
  br i1 %g.zero, label %group.end, label %each
each:
  %j = phi i64 [ %g, %group ], [ %k, %step ]
  %p = {{at .Array "__pathspan_counters" "%j"}}
  %v = load i64, {{ptr "i64"}} %p, align 8
  %none = icmp eq i64 %v, 0
  br i1 %none, label %step, label %emit
emit:
{{- if .Part}}
  %number = add i64 %first.counter, %j
  call void @__pathspan_emit(i64 %number, i64 %v)
{{- else}}
  call void @__pathspan_emit(i64 %j, i64 %v)
{{- end}}
  br label %step
step:
  %k = add i64 %j, 1
  %rest = urem i64 %k, {{.Group}}
  %end = icmp eq i64 %rest, 0
  br i1 %end, label %group.end, label %each
group.end:
  %behind.group = add i64 %g, {{.Group}}
  %groups = urem i64 %behind.group, {{.Block}}
  %last = icmp eq i64 %groups, 0
  br i1 %last, label %next, label %group
next:
  %after = add i64 %i, {{.Block}}
  br label %head
done:
  ret void
}

; Keeps the largest number of iterations. That it grows is rare.
define internal void @__pathspan_longest(i64 %counter, i64 %trips) alwaysinline nounwind {
entry:
  %p = {{at .Array "__pathspan_counters" "%counter"}}
  {{load "%longest" "%p" .Threads}}
  %more = icmp ugt i64 %trips, %longest
  br i1 %more, label %longer, label %done, !prof !{{.Unlikely}}
longer:
{{- if .Threads}}
  %old = atomicrmw umax {{ptr "i64"}} %p, i64 %trips monotonic
{{- else}}
  store i64 %trips, {{ptr "i64"}} %p, align 8
{{- end}}
  br label %done
done:
  ret void
}

; Counts a call of a target at a site. It is inlined there: five instructions or so where
; the site's entry for the target's address holds the target.
define internal void @__pathspan_called(i64 %site, {{ptr "i8"}} %target) alwaysinline nounwind {
entry:
  %t = ptrtoint {{ptr "i8"}} %target to i64
  %offset = and i64 %t, {{.SiteMask}}
  %first = shl i64 %site, {{.SiteLog}}
  %at = add i64 %first, %offset
  call void @__pathspan_pair(i64 %site, i64 %t, i64 %at)
  ret void
}
{{if not .Threads}}
; Counts a path in a hash table, in the table's entry for the path's number if it can. Entries hold
; one more than the number, since those that nothing has taken hold 0.
define internal void @__pathspan_hashed(i64 %table, i64 %number) alwaysinline nounwind {
entry:
  %key = add i64 %number, 1
  %owner = add i64 %table, {{.Sites}}
  %mixed = mul i64 %key, -7046029254386353131
  %entry.i = lshr i64 %mixed, {{.HashShift}}
  %offset = shl i64 %entry.i, 4
  %first = shl i64 %table, {{.HashLog}}
  %behind.sites = add i64 %first, {{.SiteBytes}}
  %at = add i64 %behind.sites, %offset
  call void @__pathspan_pair(i64 %owner, i64 %key, i64 %at)
  ret void
}
{{end}}
; Counts a key of an owner: a site's target, or a path in a table. At is where the pair of
; key and count is, if it is the module that holds it.
define internal void @__pathspan_pair(i64 %owner, i64 %key, i64 %at) alwaysinline nounwind {
entry:
  %p = {{pair "%at"}}
  %key.p = bitcast {{ptr "i8"}} %p to {{ptr "i64"}}
  {{load "%have" "%key.p" .Threads}}
  %same = icmp eq i64 %have, %key
  br i1 %same, label %hit, label %miss, !prof !{{.Likely}}
hit:
  %behind = getelementptr inbounds i8, {{ptr "i8"}} %p, i64 8
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
  call void @__pathspan_missed(i64 %owner, i64 %key, i64 %at)
  ret void
}

{{if .Threads -}}
; Takes the pair for the key if no other has it; else the library counts.
{{- else -}}
; Gives the pair to the key, and what another had counted in it to the library.
{{- end}}
define internal void @__pathspan_missed(i64 %owner, i64 %key, i64 %at) cold noinline nounwind {
entry:
  %p = {{pair "%at"}}
  %key.p = bitcast {{ptr "i8"}} %p to {{ptr "i64"}}
  %behind = getelementptr inbounds i8, {{ptr "i8"}} %p, i64 8
  %count.p = bitcast {{ptr "i8"}} %behind to {{ptr "i64"}}
  %block = udiv i64 %at, {{.BlockBytes}}
  %taken.p = {{taken "%block"}}
  store atomic i8 1, {{ptr "i8"}} %taken.p monotonic, align 1
{{- if .Threads}}
  %taken = cmpxchg {{ptr "i64"}} %key.p, i64 0, i64 %key monotonic monotonic
  %have = extractvalue { i64, i1 } %taken, 0
  %took = extractvalue { i64, i1 } %taken, 1
  %same = icmp eq i64 %have, %key
  %ours = or i1 %took, %same
  br i1 %ours, label %hit, label %other
hit:
  %old = atomicrmw add {{ptr "i64"}} %count.p, i64 1 monotonic
  ret void
other:
  call void @{{.Times}}(i64 %owner, i64 %key, i64 1)
  ret void
{{- else}}
  %have = load i64, {{ptr "i64"}} %key.p, align 8
  %n = load i64, {{ptr "i64"}} %count.p, align 8
  store i64 %key, {{ptr "i64"}} %key.p, align 8
  store i64 1, {{ptr "i64"}} %count.p, align 8
  %any = icmp ne i64 %n, 0
  br i1 %any, label %replaced, label %done
replaced:
  %of.table = icmp uge i64 %owner, {{.Sites}}
  %more = zext i1 %of.table to i64
  %told = sub i64 %have, %more
  call void @{{.Times}}(i64 %owner, i64 %told, i64 %n)
  br label %done
done:
  ret void
{{- end}}
}

; Hands what the pairs hold, in blocks of which any was taken, to the run-time library, and empties them.
define {{if .Part}}hidden {{end}}void @__pathspan_hand_over_pairs{{.Part}}() nounwind {
entry:
  br label %head
head:
  %first = phi i64 [ 0, %entry ], [ %after, %next ]
  %more = icmp ult i64 %first, {{.PairBytes}}
  br i1 %more, label %look, label %done
look:
  %block = udiv i64 %first, {{.BlockBytes}}
  %taken.p = {{taken "%block"}}
  %any.taken = load atomic i8, {{ptr "i8"}} %taken.p monotonic, align 1
  %none = icmp eq i8 %any.taken, 0
  br i1 %none, label %next, label %each
each:
  %at = phi i64 [ %first, %look ], [ %behind.pair, %step ]
  %p = {{pair "%at"}}
  %key.p = bitcast {{ptr "i8"}} %p to {{ptr "i64"}}
  %behind = getelementptr inbounds i8, {{ptr "i8"}} %p, i64 8
  %count.p = bitcast {{ptr "i8"}} %behind to {{ptr "i64"}}
{{- if .Threads}}
  %n = atomicrmw xchg {{ptr "i64"}} %count.p, i64 0 monotonic
{{- else}}
  %n = load i64, {{ptr "i64"}} %count.p, align 8
  store i64 0, {{ptr "i64"}} %count.p, align 8
{{- end}}
  %zero = icmp eq i64 %n, 0
  br i1 %zero, label %step, label %full
full:
  {{load "%key" "%key.p" .Threads}}
  %site = lshr i64 %at, {{.SiteLog}}
  %tables = sub i64 %at, {{.SiteBytes}}
  %table = lshr i64 %tables, {{.HashLog}}
  %behind.sites = add i64 %table, {{.Sites}}
  %of.table = icmp uge i64 %at, {{.SiteBytes}}
  %owner = select i1 %of.table, i64 %behind.sites, i64 %site
  %higher = zext i1 %of.table to i64
  %told = sub i64 %key, %higher
  call void @{{.Times}}(i64 %owner, i64 %told, i64 %n)
  br label %step
step:
  %behind.pair = add i64 %at, 16
  %last = urem i64 %behind.pair, {{.BlockBytes}}
  %end = icmp eq i64 %last, 0
  br i1 %end, label %next, label %each
next:
  %after = add i64 %first, {{.BlockBytes}}
  br label %head
done:
  ret void
}

{{if .Part -}}
; Tells the run-time library by which number of the program it knows an owner of pairs.
define internal void @__pathspan_times_here(i64 %owner, i64 %key, i64 %times) cold noinline nounwind {
entry:
  %of.table = icmp uge i64 %owner, {{.Sites}}
  br i1 %of.table, label %table, label %site
table:
  %first.table = load i64, {{ptr "i64"}} {{first 1}}, align 8
  %t = sub i64 %owner, {{.Sites}}
  %table.owner = add i64 %first.table, %t
  call void @__pathspan_times(i64 %table.owner, i64 %key, i64 %times)
  ret void
site:
  %first.site = load i64, {{ptr "i64"}} {{first 0}}, align 8
  %site.owner = add i64 %first.site, %owner
  call void @__pathspan_times(i64 %site.owner, i64 %key, i64 %times)
  ret void
}
{{end}}
