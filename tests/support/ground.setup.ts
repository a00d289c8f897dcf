import { layGround } from './ground.ts'
import { laySeeds } from './seeds.ts'

export async function setup(): Promise<void> {
  layGround()
  await laySeeds()
}
