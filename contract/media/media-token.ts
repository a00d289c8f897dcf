import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, nothing } from '../wire/envelope.ts'

/**
 * What the media host knows a sign-in by, for the addresses that the edge signs (contract/media/media-urls.ts): opaque, the same sign-in
 * as the token's, and worth nothing once that has ended. The edge asks for it once for each session; whoever answers it hears
 * of sign-outs by `userLogout`, at the same host.
 */
export const mediaPass = call(
  'EXT-media-pass',
  'POST',
  '/extension/media-pass',
  'web-backend',
  { request: nothing, response: envelope(200, v.object({ pass: v.pipe(v.string(), v.regex(/^[\w-]{20,400}$/)) })) },
  { via: 'edge' },
)
