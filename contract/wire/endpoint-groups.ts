/** The endpoint groups (TOKEN-10, TOKEN-11) and how each authenticates a call (OPEN-23, OPEN-24). */

/** How the access token is attached. `branded` is the provider-branded header of OPEN-25. */
export type TokenHeader = 'access_token' | 'authorization-raw' | 'authorization-bearer' | 'branded' | 'token'

/** Endpoints with a signing secret of their own (SIGN-03 to 09). */
export const SIGNED_ENDPOINTS = [
  'new-device',
  'v4-event',
  'platform',
  'membership-v2',
  'AI-event-feedback',
  'AI-subscription',
  'event-DA',
] as const
export type SignedEndpoint = (typeof SIGNED_ENDPOINTS)[number]

export interface EndpointGroup {
  readonly tokenHeader: TokenHeader
  /** Which secret signs the call; null: the call goes out with plain headers. */
  readonly secret: SignedEndpoint | null
  /** Whether a `request_id` header goes along (TOKEN-08). */
  readonly requestId: boolean
}

const group = (tokenHeader: TokenHeader, secret: SignedEndpoint | null = null, requestId = false): EndpointGroup => ({
  tokenHeader,
  secret,
  requestId,
})

/** Keys are also the path segment of the gateway: `/api/p/{group}/{provider path}`. */
export const ENDPOINT_GROUPS = {
  device: group('access_token'),
  'new-device': group('access_token', 'new-device'),
  platform: group('access_token', 'platform'),
  gateway: group('authorization-bearer'),
  'membership-v2': group('authorization-raw', 'membership-v2'),
  'v4-event': group('authorization-raw', 'v4-event'),
  replays: group('authorization-raw'),
  'device-management': group('authorization-raw'),
  'event-da': group('authorization-raw', 'event-DA'),
  'ai-feedback': group('branded', 'AI-event-feedback'),
  'ai-subscription': group('branded', 'AI-subscription'),
  'ai-video-search': group('branded'),
  'friendly-face': group('token'),
  'sight-safe': group('token'),
  'web-backend': group('authorization-raw', null, true),
  /** Everything beyond the rows CALL; served by the web back-end host. */
  extension: group('authorization-raw', null, true),
} as const satisfies Record<string, EndpointGroup>

export type GroupName = keyof typeof ENDPOINT_GROUPS

/** Default name of the provider-branded authorization header (OPEN-25). */
export const BRANDED_HEADER = 'x-provider-authorization'

/** Environment binding that holds the secret of a signed endpoint, e.g. `SIGN_V4_EVENT`. */
export function secretBinding(endpoint: SignedEndpoint): `SIGN_${string}` {
  return `SIGN_${endpoint.toUpperCase().replaceAll('-', '_')}`
}

/** Environment binding that may point a group at a host of its own, e.g. `HOST_V4_EVENT`; default is `PROVIDER_ORIGIN`. */
export function hostBinding(name: GroupName): `HOST_${string}` {
  return `HOST_${name.toUpperCase().replaceAll('-', '_')}`
}
