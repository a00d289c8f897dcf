import { kountSessionId, signIn } from './sign-in.ts'

/** Leaves a page of the portal for the sign-in, as signIn does; the device collector hears of the session, and nothing waits for it. */
export function signInFrom(state: string): Promise<void> {
  const leaving = signIn(state)
  void import('../log/tell-session.ts').then((it) => it.tellSession(kountSessionId())).catch(console.debug)
  return leaving
}
