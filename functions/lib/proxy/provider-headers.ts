import { browserCode, systemCode } from '../../../src/domain/browser/user-agent.ts'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import { ENDPOINT_GROUPS, getSecretBinding, type GroupName } from '../../../contract/wire/endpoint-groups.ts'
import { type APP_INFO_HEADERS, SIGNATURE_HEADER } from '../../../contract/environment.ts'
import type { Settings } from '../settings.ts'
import { signProviderRequest } from './sign-request.ts'

export interface ProviderRequest {
  readonly group: GroupName
  /** Content to sign: the body bytes, or the sorted query string. */
  readonly content: Uint8Array<ArrayBuffer> | string
  readonly token: string
  readonly userAgent: string
  readonly requestId: string
}

/**
 * Returns the headers of a call to the provider (OPEN-24, OPEN-25): token, app info, `request_id` for the web back end.
 * Adds a signature if the group has a secret. Forwards none of the browser's own headers.
 */
export function buildProviderHeaders(settings: Settings, call: ProviderRequest): Record<string, string> {
  const { secret, requestId } = ENDPOINT_GROUPS[call.group]
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...buildTokenHeader(settings, call.group, call.token),
    ...buildAppInfoHeaders(settings, call.userAgent),
  }
  if (requestId) headers[REQUEST_ID_HEADER] = call.requestId
  if (secret) {
    const key = settings[getSecretBinding(secret) as keyof Settings] as string
    headers[SIGNATURE_HEADER] = signProviderRequest(secret, call.content, call.token, key)
  }
  return headers
}

export function buildTokenHeader(settings: Settings, group: GroupName, token: string): Record<string, string> {
  switch (ENDPOINT_GROUPS[group].tokenHeader) {
    case 'access_token':
      return { access_token: token }
    case 'authorization-bearer':
      return { authorization: `Bearer ${token}` }
    case 'authorization-raw':
      return { authorization: token }
    case 'branded':
      return { [settings.brandedHeader]: token }
    case 'token':
      return { token }
  }
}

/**
 * Returns the app info headers. `user-agent-code` is the browser code and the system code: `1-2` is Chrome on a Mac
 * (OPEN-25).
 */
function buildAppInfoHeaders(settings: Settings, userAgent: string): Record<(typeof APP_INFO_HEADERS)[number], string> {
  return {
    'app-id': settings.appId,
    'app-version': settings.BUILD_ID,
    platform: 'web',
    'user-agent-code': `${browserCode(userAgent)}-${systemCode(userAgent)}`,
  }
}
