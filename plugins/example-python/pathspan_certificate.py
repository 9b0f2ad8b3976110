"""A key and a certificate for localhost, made without any package.

Neither Python nor grpcio can make one, and a processor model shall need no other package:
X.509 (RFC 5280) over ECDSA P-256 (FIPS 186-4, RFC 5480, RFC 5915). The key serves one
process on the loopback interface and dies with it; nothing here is hardened for more.
"""

import base64
import datetime
import hashlib
import secrets

_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
      0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def _add(a, b):
    """Adds points of the curve y^2 = x^3 - 3x + b; None is the neutral one."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if a[1] != b[1]:
            return None
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, _P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, _P)
    x = (slope * slope - a[0] - b[0]) % _P
    return x, (slope * (a[0] - x) - a[1]) % _P


def _times(k, point=_G):
    total = None
    while k:
        if k & 1:
            total = _add(total, point)
        point = _add(point, point)
        k >>= 1
    return total


def _der(tag, *parts):
    body = b"".join(parts)
    length = len(body)
    if length < 128:
        return bytes((tag, length)) + body
    size = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes((tag, 128 + len(size))) + size + body


def _integer(n):
    return _der(2, n.to_bytes(n.bit_length() // 8 + 1, "big"))


def self_signed():
    """Returns key and certificate for localhost in PEM, and the certificate in DER."""
    sequence, bits = 0x30, lambda data: _der(3, b"\0" + data)
    curve = bytes.fromhex("06082a8648ce3d030107")                             # prime256v1
    key_type = _der(sequence, bytes.fromhex("06072a8648ce3d0201"), curve)     # id-ecPublicKey
    signed_by = _der(sequence, bytes.fromhex("06082a8648ce3d040302"))         # ecdsa-with-SHA256
    name = _der(sequence, _der(0x31, _der(sequence, bytes.fromhex("0603550403"), _der(12, b"localhost"))))
    alternative = _der(sequence, bytes.fromhex("0603551d11"), _der(4, _der(sequence, _der(0x82, b"localhost"))))
    now = datetime.datetime.now(datetime.timezone.utc)
    days = lambda n: _der(24, (now + datetime.timedelta(days=n)).strftime("%Y%m%d%H%M%SZ").encode())

    secret = secrets.randbelow(_N - 1) + 1
    x, y = _times(secret)
    public = bits(b"\4" + x.to_bytes(32, "big") + y.to_bytes(32, "big"))
    body = _der(
        sequence, _der(0xA0, _integer(2)), _integer(secrets.randbits(64) + 1), signed_by, name,
        _der(sequence, days(-1), days(365)), name, _der(sequence, key_type, public), _der(0xA3, _der(sequence, alternative)))
    once = secrets.randbelow(_N - 1) + 1
    r = _times(once)[0] % _N
    s = pow(once, -1, _N) * (int.from_bytes(hashlib.sha256(body).digest(), "big") + r * secret) % _N
    certificate = _der(sequence, body, signed_by, bits(_der(sequence, _integer(r), _integer(s))))
    key = _der(sequence, _integer(1), _der(4, secret.to_bytes(32, "big")), _der(0xA0, curve), _der(0xA1, public))

    def pem(kind, data):
        return f"-----BEGIN {kind}-----\n{base64.encodebytes(data).decode()}-----END {kind}-----\n".encode()

    return pem("EC PRIVATE KEY", key), pem("CERTIFICATE", certificate), certificate
