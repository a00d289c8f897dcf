import { spawn } from 'node:child_process'
import type { BridgeMessage } from '../contract/bridge.ts'
import { Camera } from './camera.ts'
import type { RtspCamera } from './cameras.ts'
import type { AccessUnit } from './h264/annex-b.ts'
import { log, messageOf, warn } from './log.ts'
import { weriftPeer } from './peers/werift-peer.ts'
import type { ProviderClient } from './provider-client.ts'
import { RtspSource } from './sources/rtsp.ts'
import { upload } from './upload.ts'

/** How often the last picture at the provider is renewed. */
const PICTURE_MS = 60_000
const FFMPEG_MS = 10_000

interface RtspParts {
  readonly client: ProviderClient
  readonly send: (message: BridgeMessage) => void
}

/** A camera of the home, reached by RTSP: live picture and last picture. */
export class RtspCameraUnit {
  readonly camera: Camera
  private readonly client: ProviderClient
  private readonly source: RtspSource
  private pictures: NodeJS.Timeout | undefined

  constructor(entry: RtspCamera, order: number, parts: RtspParts) {
    this.client = parts.client
    this.source = new RtspSource({ url: entry.url, clock: parts.client, onState: (reason) => this.changed(reason) })
    this.camera = new Camera(
      {
        deviceId: entry.device_id,
        registration: {
          nickname: entry.name,
          device_model: 'PL-RTSP',
          ...(entry.home && { home_id: entry.home }),
          provider: 'kvs',
          renditions: [],
          dual: false,
          audio: false,
          battery: false,
          device_order: order,
        },
        source: this.source,
        createPeer: weriftPeer,
        send: parts.send,
        now: () => parts.client.now(),
      },
      { state: 'waking', reason: '' },
    )
    this.source.start()
  }

  /** The provider knows the camera: from now on it gets a picture each minute. */
  introduce(): Promise<void> {
    clearInterval(this.pictures)
    this.pictures = setInterval(() => void this.storePicture(), PICTURE_MS)
    return this.storePicture()
  }

  stop(): void {
    clearInterval(this.pictures)
    this.camera.stop()
  }

  private changed(reason: string | undefined): void {
    const { state, reason: before } = this.camera.summary()
    if (state === 'switched_off') return
    const name = this.camera.registration.nickname
    if (reason === undefined) {
      if (state !== 'awake') warn(`${name} is live.`)
      const first = state === 'waking'
      this.camera.setStatus('awake', '')
      if (first && this.pictures) void this.storePicture()
      return
    }
    if (reason !== before) warn(`${name}: ${reason}`)
    this.camera.setStatus('offline', reason)
  }

  private async storePicture(): Promise<void> {
    const keyframe = this.source.group()[0]
    if (!keyframe) return
    try {
      const bytes = await jpegOf(keyframe)
      await upload(this.client, this.camera.deviceId, [{ kind: 'last', name: this.camera.deviceId, bytes }])
    } catch (error) {
      log(`The last picture of ${this.camera.registration.nickname} could not be stored: ${messageOf(error)}`)
    }
  }
}

/** A keyframe as JPEG, 640 pixels wide at most. */
function jpegOf(keyframe: AccessUnit): Promise<Buffer> {
  const scale = "scale='min(640,iw)':-2"
  const args = ['-v', 'error', '-f', 'h264', '-i', 'pipe:0', '-frames:v', '1', '-vf', scale, '-f', 'mjpeg', 'pipe:1']
  return new Promise((resolve, reject) => {
    const child = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: FFMPEG_MS })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', () =>
      chunks.length > 0 ? resolve(Buffer.concat(chunks)) : reject(new Error('ffmpeg gave no picture')),
    )
    child.stdin.on('error', () => undefined)
    child.stdin.end(Buffer.concat(keyframe.nals.flatMap((nal) => [Buffer.from([0, 0, 0, 1]), nal])))
  })
}
