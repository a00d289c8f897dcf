import { prepareBaseData } from './ground.ts'
import { prepareSeededStorage } from './seeds.ts'

export async function setup(): Promise<void> {
  prepareBaseData()
  await prepareSeededStorage()
}
