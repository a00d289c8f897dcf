import { fileURLToPath } from 'node:url'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'

interface NightColors {
  /** Mean difference between the strongest and the weakest channel, 0 to 255. */
  readonly saturation: number
  /** Red minus blue in the lower and in the upper half, 0 to 255. */
  readonly warmth: { readonly near: number; readonly far: number }
}

async function measureNightColors(scene: string): Promise<NightColors> {
  const poster = new URL(`../../../scenes/rendered/${scene}/night-poster.jpg`, import.meta.url)
  const image = await loadImage(fileURLToPath(poster))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const count = data.length / 4
  const sum = { saturation: 0, near: 0, far: 0 }
  for (let i = 0; i < count; i++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(i * 4, i * 4 + 3)
    sum.saturation += Math.max(red, green, blue) - Math.min(red, green, blue)
    sum[i < count / 2 ? 'far' : 'near'] += red - blue
  }
  return {
    saturation: sum.saturation / count,
    warmth: { near: (sum.near * 2) / count, far: (sum.far * 2) / count },
  }
}

test.each(['front-door', 'driveway', 'living-room'])('the picture of %s is in color at night', async (scene) => {
  expect((await measureNightColors(scene)).saturation).toBeGreaterThan(15)
})

test.each(['backyard', 'street', 'garage'])('the picture of %s is infrared at night', async (scene) => {
  expect((await measureNightColors(scene)).saturation).toBeLessThan(3)
})

test('the porch light is warm, the street behind it is not', async () => {
  const { warmth } = await measureNightColors('front-door')
  expect(warmth.near).toBeGreaterThan(40)
  expect(warmth.far).toBeLessThan(warmth.near / 2)
})
