import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findFreePort } from '../../scripts/lib/ports.ts'

const PYTHON = '/usr/bin/python3'
const CAMERA_SCRIPT = new URL('gst-camera.py', import.meta.url).pathname
const IMPORT_CHECK = `import gi
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gst, GstRtspServer
Gst.init(None)
assert all(Gst.ElementFactory.find(name) for name in ("x264enc", "x265enc", "voaacenc", "capssetter"))`

export const gstreamerProblem: string | undefined =
  spawnSync(PYTHON, ['-c', IMPORT_CHECK]).status === 0
    ? undefined
    : 'GStreamer\'s RTSP server is not installed: "apt install gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-ugly gstreamer1.0-plugins-bad"'

/** Variants of video and audio; see `gst-camera.py`. */
export type GstMode = 'plain' | 'large' | 'loss' | 'rare' | 'h265' | 'lies' | 'pcma' | 'pcmu' | 'aac'

/** Camera on an independent RTSP implementation (GStreamer). */
export class GstCamera {
  readonly port: number
  readonly #child: ChildProcess

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.#child = child
  }

  static async start(mode: GstMode, port?: number): Promise<GstCamera> {
    const chosenPort = port ?? (await findFreePort())
    const child = spawn(PYTHON, [CAMERA_SCRIPT, String(chosenPort), mode], { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(createInterface({ input: child.stdout }), 'line')
    return new GstCamera(chosenPort, child)
  }

  get url(): string {
    return `rtsp://127.0.0.1:${this.port}/stream`
  }

  /** Suspends the process: its sockets stay open and send nothing. */
  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}
