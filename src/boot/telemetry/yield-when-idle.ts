import { whenIdle } from '../page/when-idle.ts'

/** Resolves when the page is idle, after two seconds at the latest. Analytics waits between its loading steps. */
export const waitForIdle = (): Promise<void> => new Promise((resolve) => whenIdle(resolve))
