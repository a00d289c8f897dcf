import type { SettingsResult } from '../settings.ts'
import { EXPIRY_MARGIN_MS, type RefreshResult, type SessionView } from './session-record.ts'
import { callMediaTokenIssue } from '../proxy/user-calls.ts'

/** `stranger`: the media host does not know the session's tokens. `down`: the token could not be fetched. */
export type MediaTokenResult =
  { kind: 'pass'; pass: string } | { kind: 'ended' } | { kind: 'stranger' } | { kind: 'down' }

interface SessionTokens {
  read(): Promise<SessionView | null>
  refresh(handle: string): Promise<RefreshResult>
}

/**
 * Fetches the session's media token (contract/media/media-token.ts). If the access token expires soon, refreshes it
 * first. Sends tokens of an external issuer only to a host that is configured for user calls.
 */
export async function fetchMediaToken(
  settingsResult: SettingsResult,
  tokens: SessionTokens,
): Promise<MediaTokenResult> {
  if (!settingsResult.ok) return { kind: 'down' }
  if (!settingsResult.settings.servesUserCalls) return { kind: 'stranger' }
  const view = await tokens.read()
  if (!view) return { kind: 'ended' }
  const refreshResult = view.expiresAt - EXPIRY_MARGIN_MS > Date.now() ? null : await tokens.refresh(view.handle)
  if (refreshResult && refreshResult.kind !== 'current') return refreshResult
  try {
    const mediaToken = await callMediaTokenIssue(settingsResult.settings, (refreshResult?.view ?? view).accessToken)
    return mediaToken === null ? { kind: 'stranger' } : { kind: 'pass', pass: mediaToken }
  } catch {
    return { kind: 'down' }
  }
}
