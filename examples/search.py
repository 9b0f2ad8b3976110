#!/usr/bin/env python3
"""Search for a good mapping with an algorithm of one's own, here hill climbing, and let
pathspan estimate the candidates.

    examples/search.py app.pspan --platform soc.yaml
    examples/search.py app.pspan -p 4 --restarts 50 --seed 7
    pathspan serve app.pspan --platform soc.yaml --listen unix:/tmp/pathspan.sock &
    examples/search.py --grpc unix:/tmp/pathspan.sock

Over JSON lines it needs nothing but Python; over gRPC it needs grpcio, protobuf
and protoc.
It prints the best mapping as a mapping file for pathspan estimate --mapping.
"""

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile


class Lines:
    """pathspan serve as a child process, spoken to in JSON lines."""

    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hello = self.child.stdout.readline()
        if not hello:
            sys.exit(self.child.wait() or 1)  # pathspan has said why
        self.description = json.loads(hello)

    def estimate(self, candidates):
        """Returns the speed-up of each candidate, a list of processor indices."""
        batch = [{"id": i, "sections": c} for i, c in enumerate(candidates)]
        self.child.stdin.write(json.dumps(batch) + "\n")
        self.child.stdin.flush()
        speedups = []
        for answer in json.loads(self.child.stdout.readline()):
            if "error" in answer:
                sys.exit("search: {field}: {message}".format(**answer["error"]))
            speedups.append(answer["results"][0]["speedup"])
        return speedups

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Remote:
    """pathspan serve --listen, spoken to in gRPC."""

    def __init__(self, address):
        import grpc  # not in the standard library

        self.messages = generated()
        self.channel = grpc.insecure_channel(address.removeprefix("tcp:"))
        service = "/pathspan.serve.v1.Estimator/"
        self.describe = self.channel.unary_unary(
            service + "Describe",
            self.messages.DescribeRequest.SerializeToString,
            self.messages.Description.FromString,
        )
        self.batch = self.channel.unary_unary(
            service + "EstimateBatch", self.messages.Batch.SerializeToString, self.messages.Answers.FromString
        )
        d = self.describe(self.messages.DescribeRequest(), wait_for_ready=True, timeout=30)
        self.description = {
            "processors": [{"name": p.name} for p in d.processors],
            "sections": [{"name": s.name, "region": s.region, "number": s.number} for s in d.sections],
            "regions": [{"name": r.name} for r in d.regions],
        }

    def estimate(self, candidates):
        batch = self.messages.Batch(candidates=[self.messages.Candidate(sections=c) for c in candidates])
        speedups = []
        for answer in self.batch(batch).answers:
            if answer.HasField("error"):
                sys.exit(f"search: {answer.error.field}: {answer.error.message}")
            speedups.append(answer.results[0].speedup)
        return speedups

    def close(self):
        self.channel.close()


def generated():
    """Has protoc write the messages of the schema, and imports them."""
    schema = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "serve", "servepb")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["protoc", "-I", schema, "--python_out", folder, "serve.proto"], check=True)
        sys.path.insert(0, folder)
        sys.dont_write_bytecode = True
        return importlib.import_module("serve_pb2")


def climb(service, start, speedup, processors):
    """Moves one section at a time to where it gains most, until nothing gains."""
    asked = 0
    while True:
        neighbours = []
        for i, at in enumerate(start):
            neighbours += [start[:i] + [p] + start[i + 1 :] for p in range(processors) if p != at]
        if not neighbours:
            return start, speedup, asked
        speedups = service.estimate(neighbours)
        asked += len(neighbours)
        best = max(range(len(neighbours)), key=speedups.__getitem__)
        if speedups[best] <= speedup:
            return start, speedup, asked
        start, speedup = neighbours[best], speedups[best]


def mapping_file(description, sections):
    """Writes a candidate as a mapping file."""
    names = [p["name"] for p in description["processors"]]
    lines = ["schema: pathspan.mapping/1", f"serial: {names[0]}", "regions:"]
    for r, region in enumerate(description["regions"]):
        lines.append(f"  {region['name']}:")
        for p, name in enumerate(names):
            numbers = [s["number"] for s, at in zip(description["sections"], sections) if s["region"] == r and at == p]
            if numbers:
                lines.append(f"    {name}: {numbers}")
    return "\n".join(lines)


def main():
    args = argparse.ArgumentParser(description="Search for a good mapping by hill climbing.")
    args.add_argument("bundle", nargs="?", help="profile bundle (.pspan)")
    args.add_argument("--platform", help="platform file")
    args.add_argument("-p", "--processors", help="number of equal processors")
    args.add_argument("--function", help="function to estimate")
    args.add_argument("--pathspan", default="pathspan", help="the program pathspan")
    args.add_argument("--grpc", metavar="ADDRESS", help="ask a pathspan that listens there instead")
    args.add_argument("--restarts", type=int, default=10)
    args.add_argument("--seed", type=int, default=1)
    o = args.parse_args()
    if (o.bundle is None) == (o.grpc is None):
        args.error("give a bundle, or --grpc ADDRESS")
    if o.grpc:
        service = Remote(o.grpc)
    else:
        command = [o.pathspan, "serve", o.bundle]
        for flag, value in (("--platform", o.platform), ("-p", o.processors), ("--function", o.function)):
            if value:
                command += [flag, value]
        service = Lines(command)
    sections, processors = len(service.description["sections"]), len(service.description["processors"])
    if sections == 0:
        sys.exit("search: the program has no sections to map")
    rng = random.Random(o.seed)
    best, best_speedup, asked = None, 0.0, 0
    for _ in range(o.restarts):
        start = [rng.randrange(processors) for _ in range(sections)]
        speedup = service.estimate([start])[0]
        found, speedup, more = climb(service, start, speedup, processors)
        asked += 1 + more
        if speedup > best_speedup:
            best, best_speedup = found, speedup
    service.close()
    print(f"# speed-up {best_speedup:.4f}, the best of {asked} candidates")
    print(mapping_file(service.description, best))


if __name__ == "__main__":
    main()
