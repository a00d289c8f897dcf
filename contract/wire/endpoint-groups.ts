/** Endpoint groups (TOKEN-10, TOKEN-11) and their authentication (OPEN-23, OPEN-24). */

/** Header that carries the access token. `branded` is the provider-branded header of OPEN-25. */
export type TokenHeader = 'access_token' | 'authorization-raw' | 'authorization-bearer' | 'branded' | 'token'

/** Endpoints with their own signing secret (SIGN-03 to 09). */
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
  /** Endpoint whose secret signs the call; null: the call is not signed. */
  readonly secret: SignedEndpoint | null
  /** True if the call carries a `request_id` header (TOKEN-08). */
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
  /** Calls beyond the CALL requirements; served by the web back-end host. */
  extension: group('authorization-raw', null, true),
} as const satisfies Record<string, EndpointGroup>

export type GroupName = keyof typeof ENDPOINT_GROUPS

/** Default name of the provider-branded authorization header (OPEN-25). */
export const BRANDED_HEADER = 'x-provider-authorization'

/** Returns the environment binding of a signed endpoint's secret, such as `SIGN_V4_EVENT`. */
export function secretBinding(endpoint: SignedEndpoint): `SIGN_${string}` {
  return `SIGN_${endpoint.toUpperCase().replaceAll('-', '_')}`
}

/** Returns the environment binding of a group's own host, such as `HOST_V4_EVENT`. Default: `PROVIDER_ORIGIN`. */
export function hostBinding(name: GroupName): `HOST_${string}` {
  return `HOST_${name.toUpperCase().replaceAll('-', '_')}`
}
