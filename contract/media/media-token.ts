import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, emptyObject } from '../wire/envelope.ts'

/**
 * Returns the media token of a sign-in, for URLs that the edge signs (contract/media/media-urls.ts). The token is
 * opaque, belongs to the same sign-in as the access token, and is worthless after that sign-in ends. The edge requests
 * it once per session. The host of this call also receives sign-outs by `userLogout`.
 */
export const issueMediaToken = call(
  'EXT-media-pass',
  'POST',
  '/extension/media-pass',
  'web-backend',
  { request: emptyObject, response: envelope(200, v.object({ pass: v.pipe(v.string(), v.regex(/^[\w-]{20,400}$/)) })) },
  { via: 'edge' },
)
