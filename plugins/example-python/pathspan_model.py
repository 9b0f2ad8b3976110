"""A processor model for pathspan in Python: subclass Model and call serve.

    class Mine(Model):
        name, kind, version, unit = "mine", "example", "1", "one cycle of the core"

        def cost(self, block):
            return 2.0 * len(block.instructions)

    serve(Mine)

pathspan starts the program as model: plugin:./mine.py and ends it. This file,
pathspan_certificate.py and model.desc, the messages in protobuf's own form, must lie
beside the program. They need Python 3.9, protobuf, and a grpcio that accepts P-521
certificates, as Debian's python3-grpcio does; nothing else, and no generated code.
"""

import base64
import difflib
import math
import os
import pathlib
import select
import signal
import sys
import threading
import traceback
from concurrent import futures

try:
    import grpc
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError as missing:
    sys.exit(f"{sys.argv[0]}: {sys.executable} has no module {missing.name}: install python3-grpcio, or name another python3 in the first line")

from pathspan_certificate import self_signed

# Standard output belongs to the handshake; what a model prints, from here on, is a remark.
_handshake = sys.stdout
if "PATHSPAN_PLUGIN" in os.environ:
    sys.stdout = sys.stderr


class Model:
    """What blocks cost on one kind of processor, with the parameters of a reference.

    pathspan makes an object for each exchange, possibly several at once. cost must
    depend on the block and the parameters alone, whatever the order of the blocks.
    """

    name = ""            # short; required
    kind = ""            # one word: "simulator", "measured"; required
    version = ""         # must change whenever figures may change; required
    unit = ""            # what one cycle means, and what is in it; required
    source = ""          # where the figures come from
    notes = ""           # what the model leaves out
    clock_mhz = 0.0      # typical clock, 0 when unknown
    overheads = None     # (create, sync) of a task in cycles, None when unknown
    accuracy = ()        # how far to trust the figures, a remark each
    factors = {}         # name: bounded?, of what is not known exactly; see Cost.vary
    additive = False     # a block costs the sum of its instructions, terminators aside
    needs_module = False # program.module shall hold the module's LLVM assembly

    def setup(self, parameters):
        """Reads the parameters, as in cpi = parameters.number("cpi", 1.0, "cycles...").

        A ValueError is the user's to see: one line that says what to write instead.
        """

    def begin(self, program):
        """Is told of the program before its blocks: see Program."""

    def cost(self, block):
        """Returns a number of cycles or a Cost for the message Block of model.proto."""
        raise NotImplementedError

    def warnings(self):
        """Returns remarks for the user after the last block, one line each."""
        return ()


class Cost:
    """What one execution of a block costs, without the defined functions it calls."""

    def __init__(self, cycles=0.0, best=0.0, worst=0.0):
        self.cycles = cycles
        self.best, self.worst = best, worst  # best <= cycles <= worst, or both 0
        self.after = {}     # predecessor's index: cycles when entered from there
        self.included = []  # indices of calls whose callee's cost is in cycles
        self.assumed = {}   # reason: [cycles, count]
        self.varies = {}    # factor's name: (down, up)

    def assume(self, reason, cycles):
        """Adds cycles that are not known but assumed; reasons are listed in reports."""
        self.cycles += cycles
        entry = self.assumed.setdefault(reason, [0.0, 0])
        entry[0] += cycles
        entry[1] += 1

    def vary(self, factor, down, up):
        """Lets the cycles move by down and up with a name of Model.factors."""
        self.varies[factor] = (down, up)


class Program:
    """The program whose blocks are priced."""

    def __init__(self, begin):
        self.triple = begin.triple
        self.data_layout = begin.data_layout
        self.files = list(begin.files)  # an instruction's file is an index plus 1
        self.functions = {}             # messages Function by index, as they are announced
        self.module = b""               # LLVM assembly, when the model needs it


class Parameters:
    """What follows the question mark of a reference: plugin:./mine.py?cpi=1.5"""

    def __init__(self, given):
        self._given = dict(given)
        self._known = {}  # name: (value, text)

    def text(self, name, default, text, choices=None):
        """Returns the value as written; choices, if any, are all that are allowed."""
        value = self._given.get(name, default)
        if choices and value not in choices:
            raise ValueError(f"parameter {name}: {value!r} is unknown; want {', '.join(choices)}")
        self._known[name] = (value, text)
        return value

    def number(self, name, default, text, least=0.0):
        """Returns the value as a number of at least least."""
        value = self.text(name, f"{default:g}", text)
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number >= least):
            raise ValueError(f"parameter {name}: want a number of {least:g} or more, not {value!r}")
        return number

    def _check(self):
        for name in sorted(self._given.keys() - self._known.keys()):
            near = difflib.get_close_matches(name, self._known, 1)
            known = f"did you mean {near[0]}?" if near else f"it knows {', '.join(self._known) or 'none'}"
            raise ValueError(f"no parameter {name}; {known}")


def serve(model):
    """Serves a class of models until pathspan ends the program or is gone."""
    certificate_of_host = _expected_host()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for pathspan, which ends us
    ended = threading.Event()
    server = grpc.server(
        futures.ThreadPoolExecutor(16),
        options=[("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)],
        handlers=_handlers(model, _messages(), ended),
    )
    key, certificate, der = self_signed()
    credentials = grpc.ssl_server_credentials([(key, certificate)], certificate_of_host, require_client_auth=True)
    port = server.add_secure_port("127.0.0.1:0", credentials)
    server.start()
    field = base64.b64encode(der).decode().rstrip("=")
    parent = os.getppid()
    print(f"1|1|tcp|127.0.0.1:{port}|grpc|{field}", file=_handshake, flush=True)
    while not ended.wait(0.5) and os.getppid() == parent and _is_read(_handshake):
        pass
    server.stop(0.2).wait()
    sys.stderr.flush()
    os._exit(0)  # whatever a model's threads are doing


def _is_read(pipe):
    """Tells whether somebody still holds the other end: the host does, as long as it lives.

    No call of the host's needs to have come before it died, and no process between the
    host and this one needs to end.
    """
    watched = select.poll()
    watched.register(pipe, 0)  # errors alone
    return not watched.poll(0)


def _expected_host():
    """Returns pathspan's certificate, or ends the program with what to do."""
    name = sys.argv[0]
    if os.environ.get("PATHSPAN_PLUGIN") != "processor-model":
        sys.exit(f"{name} is a processor model: pathspan starts it, as in pathspan model check plugin:{name}")
    if "1" not in os.environ.get("PLUGIN_PROTOCOL_VERSIONS", "1").split(","):
        sys.exit(f"{name} speaks version 1 of the protocol, which this pathspan does not")
    certificate = os.environ.get("PLUGIN_CLIENT_CERT")
    if not certificate:
        sys.exit(f"{name}: PLUGIN_CLIENT_CERT is not set, and it serves only over TLS")
    return certificate.encode()


def _messages():
    """Returns a function from a message's name to its class."""
    described = pathlib.Path(__file__).with_name("model.desc").read_bytes()
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(described).file:
        pool.AddSerializedFile(file.SerializeToString())
    if hasattr(message_factory, "GetMessageClass"):  # protobuf 4.22
        make = message_factory.GetMessageClass
    else:
        make = message_factory.MessageFactory(pool).GetPrototype
    return lambda name: make(pool.FindMessageTypeByName("pathspan.model.v1." + name))


def _handlers(model, message, ended):
    """Returns the services: the model's, and what go-plugin asks for beside."""
    Description, PriceReply = message("Description"), message("PriceReply")

    def describe(request, context):
        with _Faults(context):
            return _description(*_open(model, request.parameters), Description)

    def price(requests, context):
        with _Faults(context):
            yield from _price(model, requests, PriceReply)

    def shutdown(request, context):
        ended.set()
        return b""

    def stdio(request, context):
        # pathspan holds this stream as long as it lives.
        if not context.add_callback(ended.set):
            ended.set()  # it has gone already
        ended.wait()
        yield from ()

    def healthy(request, context):
        return b"\x08\x01"  # HealthCheckResponse{status: SERVING}

    return [
        grpc.method_handlers_generic_handler("pathspan.model.v1.ProcessorModel", {
            "Describe": grpc.unary_unary_rpc_method_handler(
                describe, message("DescribeRequest").FromString, Description.SerializeToString),
            "Price": grpc.stream_stream_rpc_method_handler(
                price, message("PriceRequest").FromString, PriceReply.SerializeToString),
        }),
        grpc.method_handlers_generic_handler("plugin.GRPCController", {"Shutdown": grpc.unary_unary_rpc_method_handler(shutdown)}),
        grpc.method_handlers_generic_handler("plugin.GRPCStdio", {"StreamStdio": grpc.unary_stream_rpc_method_handler(stdio)}),
        grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": grpc.unary_unary_rpc_method_handler(healthy)}),
    ]


class _Faults:
    """Turns exceptions of a model into a status whose message is one line."""

    def __init__(self, context):
        self.context = context

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        if isinstance(error, _Refused):
            self.context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        # abort itself raises, and grpc may end a stream that is no longer wanted.
        if isinstance(error, Exception) and self.context.is_active():
            traceback.print_exception(kind, error, trace)
            at = traceback.extract_tb(trace)[-1]
            line = " ".join(str(error).split()) or "no message"
            self.context.abort(grpc.StatusCode.INTERNAL, f"{os.path.basename(at.filename)}:{at.lineno}: {kind.__name__}: {line}")


class _Refused(Exception):
    """Parameters that the model cannot use."""


def _open(model, given):
    """Returns a model that is set up and its parameters."""
    m, parameters = model(), Parameters(given)
    try:
        m.setup(parameters)
        parameters._check()
    except ValueError as error:
        raise _Refused(" ".join(str(error).split())) from None
    return m, parameters


def _description(m, parameters, Description):
    d = Description(
        name=m.name, kind=m.kind, version=m.version, source=m.source, notes=m.notes,
        clock_mhz=m.clock_mhz, unit=m.unit, accuracy=m.accuracy, needs_module=m.needs_module, additive=m.additive)
    for name, (value, text) in parameters._known.items():
        d.parameters.add(name=name, value=value, text=text)
    if m.overheads is not None:
        d.overheads.create, d.overheads.sync = m.overheads
    return d


def _price(model, requests, PriceReply):
    """Answers an exchange: a batch of costs for a batch of blocks."""
    m = program = None
    module = []
    factor = {}
    for request in requests:
        part = request.WhichOneof("part")
        if part == "begin":
            m, _ = _open(model, request.begin.parameters)
            program = Program(request.begin)
            for name, bounded in m.factors.items():
                factor[name] = len(factor)
                yield PriceReply(factor={"name": name, "bounded": bounded})
        elif part == "module":
            module.append(request.module)
        elif part in ("function", "blocks", "end"):
            if module is not None:  # the module is complete
                program.module, module = b"".join(module), None
                m.begin(program)
            if part == "function":
                program.functions[request.function.index] = request.function
            elif part == "blocks":
                reply = PriceReply()
                for block in request.blocks.blocks:
                    _fill(reply.costs.costs.add(function=block.function, block=block.index), m.cost(block), factor)
                yield reply
            else:
                break
    yield PriceReply(done={"warnings": m.warnings()})


def _fill(answer, cost, factor):
    if not isinstance(cost, Cost):
        answer.cycles = cost
        return
    answer.cycles, answer.best, answer.worst = cost.cycles, cost.best, cost.worst
    for predecessor in sorted(cost.after):
        answer.after.add(predecessor=predecessor, cycles=cost.after[predecessor])
    answer.included.extend(sorted(cost.included))
    for reason in sorted(cost.assumed):
        cycles, count = cost.assumed[reason]
        answer.defaults.add(reason=reason, cycles=cycles, count=count)
    for name in sorted(cost.varies, key=factor.__getitem__):
        down, up = cost.varies[name]
        answer.varies.add(factor=factor[name], down=down, up=up)
