import * as v from 'valibot'
import { call } from '../wire/call.ts'
import { envelope, emptyObject } from '../wire/envelope.ts'

/**
 * Returns the sign-in's media token, which the edge puts into signed media URLs (contract/media/media-urls.ts). The
 * opaque token becomes invalid when the sign-in ends. The edge fetches the token once per session.
 */
export const issueMediaToken = call(
  'EXT-media-pass',
  'POST',
  '/extension/media-pass',
  'web-backend',
  { request: emptyObject, response: envelope(200, v.object({ pass: v.pipe(v.string(), v.regex(/^[\w-]{20,400}$/)) })) },
  { via: 'edge' },
)
