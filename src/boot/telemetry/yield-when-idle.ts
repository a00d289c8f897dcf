import { whenIdle } from '../page/when-idle.ts'

/** Resolves once the page has nothing better to do, two seconds later at the latest: what measures a page comes in small parts. */
export const giveWay = (): Promise<void> => new Promise((resolve) => whenIdle(resolve))
