"""A device that answers WS-Discovery probes to the multicast group on the loopback interface: `wsd-responder.py SERVICE`.

Says `ready` when it listens, or why it cannot; then a line for each probe that it has read, by Python's own XML parser.
"""

import socket
import struct
import sys
import uuid
import xml.etree.ElementTree as ElementTree

GROUP, PORT, LOOPBACK = "239.255.255.250", 3702, "127.0.0.1"
SOAP = "{http://www.w3.org/2003/05/soap-envelope}"
WSA = "{http://schemas.xmlsoap.org/ws/2004/08/addressing}"
WSD = "http://schemas.xmlsoap.org/ws/2005/04/discovery"
ANSWER = """<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"
 xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="{wsd}"><s:Header>
 <a:MessageID>urn:uuid:{own}</a:MessageID><a:RelatesTo>{asked}</a:RelatesTo>
 <a:To>http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous</a:To>
 <a:Action>{wsd}/ProbeMatches</a:Action></s:Header><s:Body><d:ProbeMatches><d:ProbeMatch>
 <a:EndpointReference><a:Address>urn:uuid:{own}</a:Address></a:EndpointReference>
 <d:Types>dn:NetworkVideoTransmitter</d:Types>
 <d:Scopes>onvif://www.onvif.org/name/Yard onvif://www.onvif.org/hardware/X1</d:Scopes>
 <d:XAddrs>{service}</d:XAddrs><d:MetadataVersion>1</d:MetadataVersion>
 </d:ProbeMatch></d:ProbeMatches></s:Body></s:Envelope>"""

listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((GROUP, PORT))
    member = struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(LOOPBACK))
    listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
    sender.sendto(b"?", (GROUP, PORT))
    listener.settimeout(2)
    listener.recvfrom(100)
    listener.settimeout(None)
except OSError as error:
    print(f"no multicast: {error}", flush=True)
    sys.exit(1)
print("ready", flush=True)
while True:
    data, client = listener.recvfrom(65536)
    envelope = ElementTree.fromstring(data)
    header = envelope.find(f"{SOAP}Header")
    types = envelope.findtext(f"{SOAP}Body/{{{WSD}}}Probe/{{{WSD}}}Types")
    if header.findtext(f"{WSA}Action") != f"{WSD}/Probe" or not types.endswith(":NetworkVideoTransmitter"):
        continue
    print("asked", flush=True)
    asked = header.findtext(f"{WSA}MessageID")
    listener.sendto(ANSWER.format(wsd=WSD, own=uuid.uuid4(), asked=asked, service=sys.argv[1]).encode(), client)
