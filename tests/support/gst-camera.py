"""An RTSP camera of GStreamer's own server: `gst-camera.py PORT MODE`. Says `ready` when it listens."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

PORT, MODE = sys.argv[1:3]
PICTURE = "videotestsrc is-live=true pattern=ball ! video/x-raw,width={},height={},framerate=15/1"
H264 = "x264enc tune=zerolatency speed-preset=ultrafast key-int-max={}"
H265 = "x265enc tune=zerolatency speed-preset=ultrafast key-int-max=15"
PAY = "rtph264pay pt=96 config-interval=-1"
PAY_265 = "rtph265pay pt=96 config-interval=-1"
LIE = 'capssetter replace=true caps="application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96"'
TONE = "audiotestsrc is-live=true wave=sine ! audio/x-raw,rate=8000,channels=1"

small = PICTURE.format(640, 360)
PICTURES = {
    "plain": f"{small} ! {H264.format(15)} ! {PAY}",
    "large": f"{PICTURE.format(1280, 720)} ! {H264.format(15)} ! {PAY}",
    "loss": f"{small} ! {H264.format(15)} ! {PAY} mtu=400 ! identity drop-probability=0.03",
    "rare": f"{small} ! {H264.format(120)} ! {PAY}",
    "h265": f"{small} ! {H265} ! {PAY_265}",
    "lies": f"{small} ! {H265} ! {PAY_265} ! {LIE}",
}
SOUNDS = {
    "pcma": f"{TONE} ! alawenc ! rtppcmapay pt=8",
    "pcmu": f"{TONE} ! mulawenc ! rtppcmupay pt=0",
    "aac": f"{TONE.replace('8000', '16000')} ! voaacenc ! rtpmp4gpay pt=97",
}


class Camera(GstRtspServer.RTSPMediaFactory):
    def do_create_element(self, url):
        parts = [PICTURES.get(MODE, PICTURES["plain"])] + ([SOUNDS[MODE]] if MODE in SOUNDS else [])
        whole = Gst.Bin()
        for number, part in enumerate(parts):
            payloader = Gst.parse_bin_from_description(part, True)
            payloader.set_name(f"pay{number}")
            whole.add(payloader)
        return whole


Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(PORT)
camera = Camera()
# One encoder for all who watch: who comes later comes between keyframes, as at a camera.
camera.set_shared(True)
server.get_mount_points().add_factory("/stream", camera)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
