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

const createGroup = (
  tokenHeader: TokenHeader,
  signedEndpoint: SignedEndpoint | null = null,
  sendsRequestId = false,
): EndpointGroup => ({
  tokenHeader,
  secret: signedEndpoint,
  requestId: sendsRequestId,
})

/** Endpoint groups by name. A browser calls `/api/p/{group}{provider path}` at the edge, where `{group}` is a name. */
export const ENDPOINT_GROUPS = {
  device: createGroup('access_token'),
  'new-device': createGroup('access_token', 'new-device'),
  platform: createGroup('access_token', 'platform'),
  gateway: createGroup('authorization-bearer'),
  'membership-v2': createGroup('authorization-raw', 'membership-v2'),
  'v4-event': createGroup('authorization-raw', 'v4-event'),
  replays: createGroup('authorization-raw'),
  'device-management': createGroup('authorization-raw'),
  'event-da': createGroup('authorization-raw', 'event-DA'),
  'ai-feedback': createGroup('branded', 'AI-event-feedback'),
  'ai-subscription': createGroup('branded', 'AI-subscription'),
  'ai-video-search': createGroup('branded'),
  'friendly-face': createGroup('token'),
  'sight-safe': createGroup('token'),
  'web-backend': createGroup('authorization-raw', null, true),
  /** Calls that the requirements do not define. They use the same headers as `web-backend`. */
  extension: createGroup('authorization-raw', null, true),
} as const satisfies Record<string, EndpointGroup>

export type GroupName = keyof typeof ENDPOINT_GROUPS

/** Default name of the provider-branded authorization header (OPEN-25). */
export const BRANDED_HEADER = 'x-provider-authorization'

/** Returns the environment binding of a signed endpoint's secret, such as `SIGN_V4_EVENT`. */
export function getSecretBinding(endpoint: SignedEndpoint): `SIGN_${string}` {
  return `SIGN_${endpoint.toUpperCase().replaceAll('-', '_')}`
}

/**
 * Returns the variable of a group's own host, such as `HOST_V4_EVENT`. If it is unset, the host is `PROVIDER_ORIGIN`.
 */
export function getHostBinding(name: GroupName): `HOST_${string}` {
  return `HOST_${name.toUpperCase().replaceAll('-', '_')}`
}
