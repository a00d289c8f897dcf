import type { Hono, Context } from 'hono'
import { issueMediaToken } from '../../contract/media/media-token.ts'
import type { AppEnv } from '../env.ts'
import { createMediaToken } from '../platform/media-urls/media-token.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { serveHls } from './serve-hls.ts'
import { serveMedia } from './serve-media.ts'
import { serveZip } from './serve-zip.ts'
import { badRequest, ApiError } from '../platform/api-error.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { parseLastPictureKey } from '../platform/media-urls/object-keys.ts'
import { verifyTicket } from '../platform/tickets/tickets.ts'

export function mediaRoutes(app: Hono<AppEnv>): void {
  app.put('/media/upload', receiveUpload)
  serveCall(app, issueMediaToken, async ({ env, account }) => ({
    pass: await createMediaToken(env.TICKET_KEY, account.grantId),
  }))
  app.get('/media/zip/:id', serveZip)
  app.get('/media/hls/:id', serveHls)
  app.get('/media/hls/:id/:part', serveHls)
  app.get('/media/:kind/:id', serveMedia)
  app.options('/media/:kind/:id', (c) => {
    c.header('access-control-allow-methods', 'GET, HEAD')
    c.header('access-control-allow-headers', 'range, if-range, if-none-match')
    c.header('access-control-allow-origin', c.env.PORTAL_ORIGIN)
    c.header('access-control-max-age', '86400')
    return c.body(null, 204)
  })
}

/**
 * Streams an uploaded object into storage. Throws 403 without a valid upload grant, and 400 if length or type differ
 * from the grant.
 */
async function receiveUpload(c: Context<AppEnv>): Promise<Response> {
  const grant = await verifyTicket(c.env.TICKET_KEY, 'upload', c.req.query('grant') ?? '', Date.now())
  if (!grant) throw new ApiError(403, 403, 'The upload grant is invalid or has expired.')
  if (c.req.header('content-type') !== grant.type)
    throw badRequest(`The upload grant only allows the type ${grant.type}.`)
  if (c.req.header('content-length') !== String(grant.length))
    throw badRequest(`The upload grant allows exactly ${grant.length} bytes.`)
  // eslint-disable-next-line no-restricted-syntax -- a stream of exactly the granted length
  const { body } = c.req.raw
  if (!body) throw badRequest('The body is empty.')
  const fixedLength = new FixedLengthStream(grant.length)
  const piped = body.pipeTo(fixedLength.writable as unknown as WritableStream<Uint8Array>)
  const stored = c.env.MEDIA.put(grant.object, fixedLength.readable, { httpMetadata: { contentType: grant.type } })
  const outcome = await Promise.allSettled([piped, stored])
  if (outcome.some(({ status }) => status === 'rejected'))
    throw badRequest(`The body isn’t ${grant.length} bytes long.`)
  const lastPicture = parseLastPictureKey(grant.object)
  if (lastPicture) await homeStub(c.env, lastPicture.homeId).setLastPicture(lastPicture.deviceId)
  return c.json({ code: 200 })
}
