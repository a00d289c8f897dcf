import type { Hono } from 'hono'
import { issueMediaToken } from '../../contract/media/media-token.ts'
import type { AppEnv } from '../env.ts'
import { createMediaToken } from '../platform/media-urls/media-token.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { serveHls } from './serve-hls.ts'
import { serveMedia } from './serve-media.ts'
import { serveZip } from './serve-zip.ts'
import { receiveUpload } from './receive-upload.ts'

/**
 * Mounts the signed URLs of clips, archives and thumbnails, the call that returns the media token, and the upload
 * endpoint of bridges.
 */
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
