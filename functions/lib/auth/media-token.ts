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
export async function fetchMediaToken(settings: SettingsResult, tokens: SessionTokens): Promise<MediaTokenResult> {
  if (!settings.ok) return { kind: 'down' }
  if (!settings.settings.servesUserCalls) return { kind: 'stranger' }
  const view = await tokens.read()
  if (!view) return { kind: 'ended' }
  const fresh = view.expiresAt - EXPIRY_MARGIN_MS > Date.now() ? null : await tokens.refresh(view.handle)
  if (fresh && fresh.kind !== 'current') return fresh
  try {
    const pass = await callMediaTokenIssue(settings.settings, (fresh?.view ?? view).accessToken)
    return pass === null ? { kind: 'stranger' } : { kind: 'pass', pass }
  } catch {
    return { kind: 'down' }
  }
}
