import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { badRequest, ApiError } from '../platform/api-error.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { readLastPictureKey } from '../platform/media-urls/object-keys.ts'
import { openTicket } from '../platform/tickets/tickets.ts'

/**
 * Streams an object into storage if its length and type match the upload grant. Throws 400 if not, 403 without a valid
 * grant.
 */
export async function receiveUpload(c: Context<AppEnv>): Promise<Response> {
  const grant = await openTicket(c.env.TICKET_KEY, 'upload', c.req.query('grant') ?? '', Date.now())
  if (!grant) throw new ApiError(403, 403, 'The upload grant is not valid, or over.')
  if (c.req.header('content-type') !== grant.type) throw badRequest(`The grant is for ${grant.type}.`)
  if (c.req.header('content-length') !== String(grant.length))
    throw badRequest(`The grant is for ${grant.length} bytes.`)
  // eslint-disable-next-line no-restricted-syntax -- a stream of exactly the granted length
  const { body } = c.req.raw
  if (!body) throw badRequest('The body is empty.')
  const exact = new FixedLengthStream(grant.length)
  const piped = body.pipeTo(exact.writable as unknown as WritableStream<Uint8Array>)
  const stored = c.env.MEDIA.put(grant.object, exact.readable, { httpMetadata: { contentType: grant.type } })
  const outcome = await Promise.allSettled([piped, stored])
  if (outcome.some(({ status }) => status === 'rejected')) throw badRequest(`The body is not ${grant.length} bytes.`)
  const last = readLastPictureKey(grant.object)
  if (last) await homeStub(c.env, last.homeId).setLastPicture(last.deviceId)
  return c.json({ code: 200 })
}
