import { expect, test } from 'vitest'
import type { Order } from '../../contract/purchase.ts'
import { boughtSentence } from '../../src/domain/bought-words.ts'

const order = { sku: 'cam-ai', is_later: false } as Order

test.each([
  [{ covered: 0, cameras: 0, free: 2 }, 'The first camera that you add is covered.'],
  [{ covered: 1, cameras: 3, free: 1 }, 'One licence is free. Choose what to cover.'],
  [{ covered: 1, cameras: 1, free: 1 }, 'One licence is free for cameras that you add.'],
  [{ covered: 2, cameras: 3, free: 0 }, '2 of 3 cameras are covered now.'],
  [{ covered: 3, cameras: 3, free: 0 }, 'All 3 cameras are covered now. Nothing more to set up.'],
])('the page after a purchase says what %j comes to, and asks for no choice that there is not', (reach, words) => {
  expect(boughtSentence(order, reach)).toBe(words)
})
