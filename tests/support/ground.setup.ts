import { layGround } from './ground.ts'

/** Before the first file of a project that starts Workers. */
export const setup = (): void => layGround()
