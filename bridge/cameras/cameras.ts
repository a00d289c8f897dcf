import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, text } from '../../contract/envelope.ts'
import { writeFileDurably } from '../files.ts'

const rtspCamera = v.object({
  device_id: deviceId,
  name: text(120),
  /** With credentials, if it needs any. */
  url: v.string(),
  /** A second, smaller stream of the same camera, with credentials. */
  sub: v.optional(v.string()),
  /** What happens to H.265; left out: it is transcoded. */
  h265: v.optional(v.picklist(['transcode', 'refuse'])),
  /** Left out: the first home of the bridge. */
  home: v.optional(id),
})
export type RtspCamera = v.InferOutput<typeof rtspCamera>

/** As an owner may write it: what can be worked out may be left out. */
const writtenCamera = v.object({
  ...rtspCamera.entries,
  device_id: v.optional(deviceId),
  name: v.optional(text(120)),
})

const cameraFile = v.object({
  cameras: v.array(writtenCamera),
  /** Taken away, but the provider may not know yet. */
  removed: v.optional(v.array(deviceId), []),
})
interface CameraFile {
  readonly cameras: readonly RtspCamera[]
  readonly removed: readonly string[]
}

const pathOf = (data: string) => join(data, 'cameras.json')

/** The RTSP cameras of `DATA/cameras.json`; none when the file does not exist. Throws a sentence when it makes no sense. */
export async function readCameras(data: string): Promise<CameraFile> {
  const content = await readFile(pathOf(data), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"cameras":[]}'
    throw new Error(`${pathOf(data)} cannot be read: ${error.message}`)
  })
  const written = v.safeParse(cameraFile, parsed(content))
  if (!written.success) {
    const place = v.getDotPath(written.issues[0])
    const where = place === null ? '' : ` at ${place}`
    throw new Error(`${pathOf(data)} is damaged${where}; correct it, or delete it and add the cameras again.`)
  }
  const cameras = written.output.cameras.map((camera, i) => completed(camera, `${pathOf(data)}, camera ${i + 1}`))
  return { cameras, removed: written.output.removed }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

function completed(camera: v.InferOutput<typeof writtenCamera>, place: string): RtspCamera {
  try {
    const url = parseRtspUrl(camera.url)
    if (camera.sub !== undefined) parseRtspUrl(camera.sub)
    return { ...camera, device_id: camera.device_id ?? rtspDeviceId(url), name: camera.name ?? nameOf(url) }
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`)
  }
}

const nameOf = (url: URL) => `Camera at ${url.hostname}`

/** Whether others on this computer may read the passwords of the cameras. */
export async function isReadByOthers(data: string): Promise<boolean> {
  const found = await stat(pathOf(data)).catch(() => undefined)
  return process.platform !== 'win32' && found !== undefined && (found.mode & 0o077) !== 0
}

/** `DATA/cameras.json` holds passwords: only its owner may read it. */
function writeCameras(data: string, file: CameraFile): Promise<void> {
  return writeFileDurably(pathOf(data), `${JSON.stringify(file, null, 2)}\n`, 0o600)
}

/** An RTSP address, or an Error whose message says what is wrong with it, without repeating its password. */
export function parseRtspUrl(address: string): URL {
  const url = URL.parse(address)
  if (!url || !/^rtsps?:$/.test(url.protocol) || url.hostname === '') {
    throw new Error(
      'A camera address looks like rtsp://host:554/path, with user:password@ before the host where it needs them; this one does not.',
    )
  }
  return url
}

/** The same camera keeps its id when its password changes. */
export function rtspDeviceId(url: URL): string {
  const place = `${url.hostname}:${url.port || '554'}${url.pathname}${url.search}`
  return `RC${createHash('sha256').update(place).digest('hex').slice(0, 12).toUpperCase()}`
}

export interface AddCamera {
  readonly url: string
  readonly name?: string | undefined
  readonly home?: string | undefined
  readonly sub?: string | undefined
  readonly h265?: RtspCamera['h265']
}

/** Adds a camera, or changes the address, name or home of a known one. */
export async function addCamera(data: string, { url: address, ...given }: AddCamera): Promise<RtspCamera> {
  const url = parseRtspUrl(address)
  if (given.sub !== undefined) parseRtspUrl(given.sub)
  const file = await readCameras(data)
  const device = rtspDeviceId(url)
  const known = file.cameras.find((camera) => camera.device_id === device)
  const { name = nameOf(url), home, sub, h265 } = { ...known, ...defined(given) }
  const camera: RtspCamera = {
    device_id: device,
    name: name.slice(0, 120),
    url: address,
    ...(sub && { sub }),
    ...(h265 && { h265 }),
    ...(home && { home }),
  }
  const cameras = known ? file.cameras.map((one) => (one === known ? camera : one)) : [...file.cameras, camera]
  await writeCameras(data, { cameras, removed: file.removed.filter((one) => one !== device) })
  return camera
}

/** What was said, without what was left open. */
function defined(given: Omit<AddCamera, 'url'>): Partial<Omit<RtspCamera, 'device_id' | 'url'>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Takes cameras away by address (credentials do not matter), name or device id. Throws a sentence when there is none. */
export async function removeCamera(data: string, which: string): Promise<RtspCamera[]> {
  const file = await readCameras(data)
  const url = URL.parse(which)
  const device = url?.hostname ? rtspDeviceId(url) : undefined
  const gone = file.cameras.filter((one) => one.device_id === (device ?? which) || one.name === which)
  if (gone.length === 0) throw new Error('There is no such camera; nothing was removed.')
  const cameras = file.cameras.filter((one) => !gone.includes(one))
  await writeCameras(data, { cameras, removed: [...file.removed, ...gone.map((one) => one.device_id)] })
  return gone
}

/** The provider has forgotten these cameras too. */
export async function forgetRemoved(data: string, done: readonly string[]): Promise<void> {
  const file = await readCameras(data)
  await writeCameras(data, { ...file, removed: file.removed.filter((one) => !done.includes(one)) })
}
