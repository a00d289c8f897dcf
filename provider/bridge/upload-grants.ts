import type { Context } from 'hono'
import { uploadRequest, type UploadRequest } from '../../contract/bridge/bridge-protocol.ts'
import type { Env } from '../env.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { badRequest, ApiError } from '../platform/api-error.ts'
import type { RequestedUpload } from '../events/upload-grant-rows.ts'
import { getLastPictureKey, getObjectKey } from '../platform/media-urls/object-keys.ts'
import { createTicket, UPLOAD_GRANT_LIFETIME_MS } from '../platform/tickets/tickets.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { requireHomeOfCamera, readBody } from './served-homes.ts'
import type { ServedHome } from './bridge-rights.ts'

type UploadObject = UploadRequest['objects'][number]
const CONTENT_TYPES = { clip: 'video/mp4', thumb: 'image/jpeg', last: 'image/jpeg' } as const

/**
 * Returns an upload grant for each requested object, in request order. A grant permits one length and one content type,
 * for 10 minutes.
 */
export async function grantUploads(c: Context<BridgeEnv>): Promise<Response> {
  const { device_id, objects } = readBody(c, uploadRequest)
  const home = requireHomeOfCamera(c, device_id)
  const now = Date.now()
  const uploads = objects
    .map((upload) => ({ object: buildObjectKey(home, device_id, upload), bytes: upload.length, kind: upload.kind }))
    .filter(({ object, kind }) => kind !== 'last' && object.startsWith('h/'))
    .map(({ object, bytes }) => ({ object, bytes }))
  await reserveUploads(c, home.home_id, uploads, now)
  const grants = await Promise.all(objects.map((upload) => createUploadGrant(c, home, { device_id, now }, upload)))
  return c.json({ code: 200, data: { grants } })
}

const TOO_MANY_UPLOADS =
  'Too many clips from this home are uploading. Wait for them to finish. This can take about two hours.'
const DAILY_LIMIT_REACHED =
  'This home has reached its daily upload limit. Uploads can resume tomorrow (UTC). Check whether a camera is recording all the time.'
const RETRY_AFTER_S = 60

async function reserveUploads(
  c: Context<BridgeEnv>,
  homeId: string,
  uploads: readonly RequestedUpload[],
  now: number,
): Promise<void> {
  if (uploads.length === 0) return
  const answer = await homeStub(c.env, homeId).reserveObjects(uploads, now + UPLOAD_GRANT_LIFETIME_MS, now)
  if (answer === 'reserved') return
  throw new ApiError(429, 429, answer === 'many' ? TOO_MANY_UPLOADS : DAILY_LIMIT_REACHED, {
    'Retry-After': String(RETRY_AFTER_S),
  })
}

/** Returns the grant of an object that is not stored yet. */
export async function signUploadGrant(
  env: Env,
  object: { readonly object: string; readonly type: string; readonly length: number },
  now: number,
) {
  const ticket = await createTicket(env.TICKET_KEY, 'upload', { ...object, exp: now + UPLOAD_GRANT_LIFETIME_MS })
  return { object: object.object, url: `${env.PROVIDER_ORIGIN}/media/upload?grant=${ticket}`, exists: false }
}

async function createUploadGrant(
  c: Context<BridgeEnv>,
  home: ServedHome,
  { device_id, now }: { device_id: string; now: number },
  upload: UploadObject,
) {
  const object = buildObjectKey(home, device_id, upload)
  const grant = await signUploadGrant(c.env, { object, type: upload.type, length: upload.length }, now)
  /*
   * A new last picture can have the same length as the stored one. Equal lengths therefore do not prove that it is
   * stored.
   */
  const stored = upload.kind === 'last' ? null : await c.env.MEDIA.head(object)
  return { ...grant, exists: stored?.size === upload.length }
}

function buildObjectKey(home: ServedHome, deviceId: string, upload: UploadObject): string {
  if (upload.type !== CONTENT_TYPES[upload.kind])
    throw badRequest(`The type of a ${upload.kind} object must be ${CONTENT_TYPES[upload.kind]}.`)
  if (upload.kind === 'last') return getLastPictureKey(home.home_id, deviceId)
  if (!/^[A-Za-z0-9_-]{1,120}$/.test(upload.name))
    throw badRequest('An object name can contain only letters, digits, - and _.')
  return getObjectKey(home.home_id, upload.kind, upload.name, home.demo === 1 && upload.shared === true)
}
