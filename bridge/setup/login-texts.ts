import type { LoginRejectionKind } from '../sources/login-backoff.ts'

export const LOGIN_FAILURE_TEXTS: Readonly<Record<LoginRejectionKind, string>> = {
  login: 'The camera rejected this login. Check capitalization, or create a viewer account in the camera’s app.',
  right: 'This user isn’t allowed to view video. Allow live view in the camera’s settings, or use a different login.',
}

export const LOGIN_MISSING_TEXT = 'This camera needs a username and password. Enter them below the address.'

export const formatLoginWait = (waitMs: number): string => {
  const seconds = Math.ceil(waitMs / 1000)
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  return `That’s three attempts in a minute. Wait ${wait} so the camera doesn’t lock you out.`
}
