import { layGround } from './ground.ts'
import { laySeeds } from './seeds.ts'

/** Before the first file of a project that starts Workers. */
export async function setup(): Promise<void> {
  layGround()
  await laySeeds()
}
