import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureWork } from '../support/work-counter.ts'
import { sealedMessage, type FuzzTarget, FUZZ_TARGETS } from '../fuzz/targets.ts'

const CORPUS_FOLDER = new URL('../fuzz/corpus/', import.meta.url).pathname
/** Length of the inputs for which the tests measure the parser's work, bytes. */
const LONG_INPUT_BYTES = 100_000

const readCorpus = ({ name }: FuzzTarget): Buffer[] => [
  ...readdirSync(join(CORPUS_FOLDER, name)).map((file) => readFileSync(join(CORPUS_FOLDER, name, file))),
  ...(name === 'sealed-box' ? [sealedMessage] : []),
]

const sliceArbitrary = (corpus: readonly Buffer[]) =>
  fc
    .tuple(fc.constantFrom(...corpus), fc.nat({ max: 4000 }), fc.integer({ min: 1, max: 80 }))
    .map(([file, at, length]) => file.subarray(at % (file.length + 1), (at % (file.length + 1)) + length))

const changeArbitrary = (corpus: readonly Buffer[]) =>
  fc.record({
    at: fc.nat({ max: 4000 }),
    removed: fc.nat({ max: 40 }),
    put: fc.oneof(
      sliceArbitrary(corpus),
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom(Buffer.alloc(4), Buffer.alloc(4, 255)),
    ),
    times: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.nat({ max: 200 })),
  })

const damagedInputArbitrary = (corpus: readonly Buffer[]) =>
  fc.tuple(fc.constantFrom(...corpus), fc.array(changeArbitrary(corpus), { maxLength: 6 })).map(([file, changes]) =>
    changes.reduce((bytes, { at, removed, put, times }) => {
      const from = at % (bytes.length + 1)
      const parts = Array.from({ length: times }, () => put)
      return Buffer.concat([bytes.subarray(0, from), ...parts, bytes.subarray(from + removed)])
    }, file),
  )

/** Generates inputs that start like a corpus file and then repeat a slice of a corpus file or a whole corpus file. */
const repeatedInputArbitrary = (corpus: readonly Buffer[]) =>
  fc
    .tuple(
      fc.constantFrom(...corpus),
      fc.nat({ max: 4000 }),
      fc.oneof(sliceArbitrary(corpus), fc.constantFrom(...corpus)),
    )
    .filter(([, , piece]) => piece.length > 0)
    .map(([file, at, piece]) => {
      const pieces = Array.from({ length: Math.ceil(LONG_INPUT_BYTES / piece.length) }, () => piece)
      return Buffer.concat([file.subarray(0, at % (file.length + 1)), ...pieces])
    })

async function measureParsedSize({ parse: read, rejectionErrors }: FuzzTarget, input: Buffer): Promise<number | null> {
  try {
    return await read(input)
  } catch (error) {
    if (error instanceof Error && rejectionErrors.includes(error.name)) return null
    throw error
  }
}

describe.each(FUZZ_TARGETS)('$name', (target) => {
  const corpus = readCorpus(target)

  test('parses or rejects each corpus file, and parses at least one', async () => {
    const sizes = await Promise.all(corpus.map((file) => measureParsedSize(target, file)))
    expect(Math.max(...sizes.map((size) => size ?? 0))).toBeGreaterThan(0)
  })

  test('parses or rejects damaged input, and the result is bounded', async () => {
    const { each, base } = target.result
    const property = fc.asyncProperty(damagedInputArbitrary(corpus), async (input) => {
      expect((await measureParsedSize(target, input)) ?? 0).toBeLessThanOrEqual(each * input.length + base)
    })
    await fc.assert(property, { seed: 48, numRuns: 2000 })
  })

  test('does work that grows at most linearly with the input length', async () => {
    const { each, base } = target.work
    for (const input of fc.sample(repeatedInputArbitrary(corpus), { seed: 48, numRuns: 25 })) {
      const work = await measureWork(() => target.parse(input))
      expect(work, `begins with ${input.subarray(0, 120).toString('hex')}`).toBeLessThan(each * input.length + base)
    }
    for (const family of target.families ?? []) {
      const input = family(LONG_INPUT_BYTES)
      const work = await measureWork(() => target.parse(input))
      expect(work, family.name).toBeLessThan(10 * input.length)
    }
  })
})
