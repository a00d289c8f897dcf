import { whenIdle } from '../page/when-idle.ts'

/** Resolves when the page is idle, after two seconds at the latest: analytics load in small steps. */
export const waitForIdle = (): Promise<void> => new Promise((resolve) => whenIdle(resolve))
