import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deviceId, id, text } from '../../contract/wire/envelope.ts'
import { exists, readSettingsFile, writeFileDurably } from '../runtime/durable-files.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import {
  deriveLegacyDeviceId,
  createRandomDeviceId,
  createSecret,
  formatRtspEndpoint,
  readSecret,
  deriveDeviceId,
  isUsedDataFolder,
} from './camera-ids.ts'

const rtspCameraSchema = v.object({
  device_id: deviceId,
  name: text(120),
  /** RTSP address of the main stream, with credentials if the camera needs them. */
  url: v.string(),
  /** RTSP address of the sub-stream, with credentials if the camera needs them. */
  sub: v.optional(v.string()),
  /** Specifies if H.265 video is transcoded (the default) or refused. */
  h265: v.optional(v.picklist(['transcode', 'refuse'])),
  /** Id of the camera's home; defaults to the first home of the bridge. */
  home: v.optional(id),
})
export type RtspCamera = v.InferOutput<typeof rtspCameraSchema>

/** Camera entry as an owner may write it: fields that the bridge can derive are optional. */
const storedCameraSchema = v.object({
  ...rtspCameraSchema.entries,
  device_id: v.optional(deviceId),
  name: v.optional(text(120)),
})

const cameraFileSchema = v.object({
  cameras: v.array(storedCameraSchema),
  /** Ids of cameras that were removed locally; the provider may not know about the removal yet. */
  removed: v.optional(v.array(deviceId), []),
})
interface CameraFile {
  readonly cameras: readonly RtspCamera[]
  readonly removed: readonly string[]
}

const camerasFilePath = (data: string) => join(data, 'cameras.json')

/**
 * Reads the RTSP cameras of `DATA/cameras.json`; a missing file means no cameras. Derives missing names and ids, and
 * creates `DATA/cameras.secret` if an existing data folder does not contain this file. Throws a user-facing Error if a
 * file is invalid.
 */
export async function readCameras(data: string): Promise<CameraFile> {
  const storedFile = await readCameraFile(data)
  const secret = await readSecret(data)
  if (secret === undefined && !(await exists(data))) return { cameras: [], removed: [] }
  if (secret !== undefined) return completeCameraFile(data, storedFile, (url) => deriveDeviceId(secret, url))
  if (!(await isUsedDataFolder(data))) {
    const newSecret = await createSecret(data)
    return completeCameraFile(data, storedFile, (url) => deriveDeviceId(newSecret, url))
  }
  // The provider knows these cameras by the ids of an earlier bridge version.
  const legacyFile = completeCameraFile(data, storedFile, deriveLegacyDeviceId)
  if (storedFile.cameras.some((camera) => camera.device_id === undefined)) await writeCameras(data, legacyFile)
  await createSecret(data)
  return legacyFile
}

/** Validates the files of `readCameras` without changing any file. Throws the same errors as `readCameras`. */
export async function checkCameras(data: string): Promise<void> {
  completeCameraFile(data, await readCameraFile(data), deriveLegacyDeviceId)
  await readSecret(data)
}

async function readCameraFile(data: string): Promise<v.InferOutput<typeof cameraFileSchema>> {
  const content = await readSettingsFile(camerasFilePath(data)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"cameras":[]}'
    throw new Error(`${camerasFilePath(data)} can't be read: ${error.message}`)
  })
  const written = v.safeParse(cameraFileSchema, parseJson(content))
  if (written.success) return written.output
  const issuePath = v.getDotPath(written.issues[0])
  const where = issuePath === null ? '' : ` at ${issuePath}`
  throw new Error(`${camerasFilePath(data)} is damaged${where}. Fix it, or delete it and add the cameras again.`)
}

type DeriveDeviceId = (url: URL) => string

function completeCameraFile(
  data: string,
  storedFile: v.InferOutput<typeof cameraFileSchema>,
  deriveId: DeriveDeviceId,
): CameraFile {
  const cameras = storedFile.cameras.map((camera, i) =>
    completeCamera(camera, `${camerasFilePath(data)}, camera ${i + 1}`, deriveId),
  )
  return { cameras, removed: storedFile.removed }
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

function completeCamera(
  camera: v.InferOutput<typeof storedCameraSchema>,
  location: string,
  deriveId: DeriveDeviceId,
): RtspCamera {
  try {
    const url = parseRtspUrl(camera.url)
    if (camera.sub !== undefined) parseRtspUrl(camera.sub)
    return { ...camera, device_id: camera.device_id ?? deriveId(url), name: camera.name ?? defaultName(url) }
  } catch (error) {
    throw new Error(`${location}: ${(error as Error).message}`)
  }
}

const defaultName = (url: URL) => `Camera at ${url.hostname}`

/** Returns true if other users of this computer can read the camera passwords. */
export async function isReadableByOthers(data: string): Promise<boolean> {
  const found = await stat(camerasFilePath(data)).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/** Writes `DATA/cameras.json`. Only the file's owner can read the file, because it contains passwords. */
function writeCameras(data: string, file: CameraFile): Promise<void> {
  return writeFileDurably(camerasFilePath(data), `${JSON.stringify(file, null, 2)}\n`, 0o600)
}

let lastChange: Promise<unknown> = Promise.resolve()

/** Runs one change of the camera list at a time, so that each change reads the result of the previous one. */
function serializeChange<Done>(change: () => Promise<Done>): Promise<Done> {
  const result = lastChange.then(change, change)
  lastChange = result
  return result
}

export interface NewCameraInput {
  readonly url: string
  readonly name?: string | undefined
  readonly home?: string | undefined
  /** Address of the sub-stream; '' removes the one that the camera had. */
  readonly sub?: string | undefined
  readonly h265?: RtspCamera['h265']
  /** First home of the bridge. If set, cameras at the same address but in different homes are different cameras. */
  readonly firstHome?: string | undefined
}

/**
 * Adds a camera, and creates the data folder if it is missing. If the list already has a camera at this address (credentials are ignored) and, with `firstHome`, in
 * the same home, updates its entry and keeps its id. Throws a user-facing Error if an address or a file is invalid.
 */
export function addCamera(data: string, camera: NewCameraInput): Promise<RtspCamera> {
  return serializeChange(() => addCameraToFile(data, camera))
}

async function addCameraToFile(
  data: string,
  { url: address, firstHome, ...options }: NewCameraInput,
): Promise<RtspCamera> {
  const url = parseRtspUrl(address)
  if (options.sub) parseRtspUrl(options.sub)
  await mkdir(data, { recursive: true, mode: 0o700 })
  const file = await readCameras(data)
  const isInSameHome = ({ home = firstHome }: RtspCamera) => firstHome === undefined || home === options.home
  const existing = file.cameras.find((camera) => hasRtspEndpoint(camera, url) && isInSameHome(camera))
  const derivedId = deriveDeviceId((await readSecret(data)) ?? (await createSecret(data)), url)
  const isTaken = file.cameras.some((camera) => camera.device_id === derivedId)
  const device = existing?.device_id ?? (isTaken ? createRandomDeviceId() : derivedId)
  const { name = defaultName(url), home, sub, h265 } = { ...existing, ...omitUndefined(options) }
  const camera: RtspCamera = {
    device_id: device,
    name: name.slice(0, 120),
    url: address,
    ...(sub && { sub }),
    ...(h265 && { h265 }),
    ...(home && { home }),
  }
  const cameras = existing
    ? file.cameras.map((entry) => (entry === existing ? camera : entry))
    : [...file.cameras, camera]
  await writeCameras(data, { cameras, removed: file.removed.filter((removedId) => removedId !== device) })
  return camera
}

/**
 * Replaces the addresses of a camera, and keeps its id, name and home. `sub`: '' for none. Throws a user-facing Error if
 * an address is invalid, if another camera of the home has it, or if the camera is no longer in the list.
 */
export function changeCameraStreams(
  data: string,
  deviceId: string,
  { url, sub }: { url: string; sub: string },
): Promise<RtspCamera> {
  return serializeChange(async () => {
    const main = parseRtspUrl(url)
    if (sub !== '') parseRtspUrl(sub)
    const file = await readCameras(data)
    const camera = file.cameras.find((entry) => entry.device_id === deviceId)
    if (!camera) throw new Error(NOT_STORED_TEXT)
    const others = file.cameras.filter((entry) => entry !== camera && entry.home === camera.home)
    if (others.some((entry) => hasRtspEndpoint(entry, main))) throw new Error(ADDRESS_TAKEN_TEXT)
    const { sub: _, ...rest } = camera
    const changed: RtspCamera = { ...rest, url, ...(sub !== '' && { sub }) }
    await writeCameras(data, { ...file, cameras: file.cameras.map((entry) => (entry === camera ? changed : entry)) })
    return changed
  })
}

export const NOT_STORED_TEXT = 'This camera isn’t set up on your hub. Add it again.'
const ADDRESS_TAKEN_TEXT = 'Another camera already uses this address. Your changes weren’t saved.'

const hasRtspEndpoint = (camera: RtspCamera, url: URL) =>
  formatRtspEndpoint(parseRtspUrl(camera.url)) === formatRtspEndpoint(url)

function omitUndefined(
  options: Omit<NewCameraInput, 'url' | 'firstHome'>,
): Partial<Omit<RtspCamera, 'device_id' | 'url'>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/**
 * Removes all cameras whose address (credentials are ignored), name or device id is `selector`, and returns them.
 * Throws a user-facing Error if there is no such camera.
 */
export function removeStoredCamera(data: string, selector: string): Promise<RtspCamera[]> {
  return serializeChange(() => removeCamerasFromFile(data, selector))
}

async function removeCamerasFromFile(data: string, selector: string): Promise<RtspCamera[]> {
  const file = await readCameras(data)
  const at = /^rtsps?:/i.test(selector) ? parseRtspUrl(selector) : undefined
  const removed = file.cameras.filter(
    (camera) => (at ? hasRtspEndpoint(camera, at) : camera.device_id === selector) || camera.name === selector,
  )
  if (removed.length === 0) throw new Error('No camera has this address, name, or ID. Nothing was removed.')
  const cameras = file.cameras.filter((camera) => !removed.includes(camera))
  await writeCameras(data, { cameras, removed: [...file.removed, ...removed.map((camera) => camera.device_id)] })
  return removed
}

export function clearRemovedIds(data: string, confirmedIds: readonly string[]): Promise<void> {
  return serializeChange(async () => {
    const file = await readCameras(data)
    await writeCameras(data, {
      ...file,
      removed: file.removed.filter((removedId) => !confirmedIds.includes(removedId)),
    })
  })
}

/** Gives a camera a new permanent id. Returns undefined if the camera is no longer in the list. */
export function assignNewDeviceId(data: string, deviceId: string): Promise<RtspCamera | undefined> {
  return serializeChange(async () => {
    const file = await readCameras(data)
    const camera = file.cameras.find((entry) => entry.device_id === deviceId)
    if (!camera) return undefined
    const renewed = { ...camera, device_id: createRandomDeviceId() }
    await writeCameras(data, { ...file, cameras: file.cameras.map((entry) => (entry === camera ? renewed : entry)) })
    return renewed
  })
}
