import type { Context } from 'hono'
import { uploadRequest, type UploadRequest } from '../../contract/bridge/bridge-protocol.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { badRequest, ApiError } from '../platform/api-error.ts'
import type { RequestedUpload } from '../events/upload-grant-rows.ts'
import { lastPictureKey, objectKey } from '../platform/media-urls/object-keys.ts'
import { sealTicket, UPLOAD_GRANT_MS } from '../platform/tickets/tickets.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { homeOfCamera, readBody, type ServedHome } from './served-homes.ts'

type UploadObject = UploadRequest['objects'][number]
const TYPES = { clip: 'video/mp4', thumb: 'image/jpeg', last: 'image/jpeg' } as const

/**
 * Returns upload grants in the order of the requested objects. Each grant is valid for 10 minutes, for one length and
 * one content type.
 */
export async function grantUploads(c: Context<BridgeEnv>): Promise<Response> {
  const { device_id, objects } = readBody(c, uploadRequest)
  const home = await homeOfCamera(c, device_id)
  const now = Date.now()
  const uploads = objects
    .map((upload) => ({ object: buildObjectKey(home, device_id, upload), bytes: upload.length, kind: upload.kind }))
    .filter(({ object, kind }) => kind !== 'last' && object.startsWith('h/'))
    .map(({ object, bytes }) => ({ object, bytes }))
  await reserve(c, home.home_id, uploads, now)
  const grants = await Promise.all(objects.map((upload) => grant(c, home, { device_id, now }, upload)))
  return c.json({ code: 200, data: { grants } })
}

const MANY =
  'Too many recordings of this home are under way. They are taken once those before them have come, or within two hours.'
const MUCH =
  'This home has stored as much today as it may in a day. Recordings wait on the box until tomorrow (UTC); see which camera records all the time.'
const MANY_RETRY_S = 60

async function reserve(
  c: Context<BridgeEnv>,
  homeId: string,
  uploads: readonly RequestedUpload[],
  now: number,
): Promise<void> {
  if (uploads.length === 0) return
  const answer = await homeStub(c.env, homeId).reserveObjects(uploads, now + UPLOAD_GRANT_MS, now)
  if (answer === 'reserved') return
  throw new ApiError(429, 429, answer === 'many' ? MANY : MUCH, { 'Retry-After': String(MANY_RETRY_S) })
}

async function grant(
  c: Context<BridgeEnv>,
  home: ServedHome,
  { device_id, now }: { device_id: string; now: number },
  upload: UploadObject,
) {
  const object = buildObjectKey(home, device_id, upload)
  const content = { object, type: upload.type, length: upload.length, exp: now + UPLOAD_GRANT_MS }
  const ticket = await sealTicket(c.env.TICKET_KEY, 'upload', content)
  /* A last picture may change while its length stays the same, so the stored one proves nothing. */
  const stored = upload.kind === 'last' ? null : await c.env.MEDIA.head(object)
  return {
    object,
    url: `${c.env.PROVIDER_ORIGIN}/media/upload?grant=${ticket}`,
    exists: stored?.size === upload.length,
  }
}

function buildObjectKey(home: ServedHome, deviceId: string, upload: UploadObject): string {
  if (upload.type !== TYPES[upload.kind]) throw badRequest(`A ${upload.kind} is ${TYPES[upload.kind]}.`)
  if (upload.kind === 'last') return lastPictureKey(home.home_id, deviceId)
  if (!/^[A-Za-z0-9_-]{1,120}$/.test(upload.name))
    throw badRequest('The name of an object has letters, digits, - and _ only.')
  return objectKey(home.home_id, upload.kind, upload.name, home.demo === 1 && upload.shared === true)
}
