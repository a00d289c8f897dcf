import { describe, expect, it } from 'vitest'
import { easeAfter, liveEdge, readRelayMessage } from '../../../../src/media/relay/relay-message.ts'

const bytes = (...values: number[]) => Uint8Array.from(values).buffer

describe('a message of the relay', () => {
  it('begins with what the player has to know, as a MIME type', () => {
    const codec = [...'avc1.42c01f'].map((letter) => letter.charCodeAt(0))
    const message = readRelayMessage(bytes(0, codec.length, ...codec, 1, 2, 3))
    expect(message).toEqual({
      kind: 'init',
      type: 'video/mp4; codecs="avc1.42c01f"',
      bytes: Uint8Array.of(1, 2, 3),
    })
  })

  it('is a picture that stands alone, or one that needs those before it', () => {
    expect(readRelayMessage(bytes(1, 9))).toEqual({ kind: 'key', bytes: Uint8Array.of(9) })
    expect(readRelayMessage(bytes(2, 9))).toEqual({ kind: 'delta', bytes: Uint8Array.of(9) })
  })

  it.each([[[]], [[3, 1, 2]], [[0]], [[0, 5, 1, 2]], [[17, 1]], [[33, 1]]])('%j is none', (values) => {
    expect(readRelayMessage(bytes(...values))).toBeNull()
  })
})

describe('the live edge', () => {
  it('is where playing begins, whatever the times are', () => {
    expect(liveEdge(-1, 0, 0.9).seek).toBeCloseTo(0.75)
    expect(liveEdge(-1, 600, 600.1).seek).toBe(600)
  })

  it('is returned to by a jump from more than a second behind, and from outside what there is', () => {
    expect(liveEdge(10, 5, 11.2).seek).toBeCloseTo(11.05)
    expect(liveEdge(10, 11, 11.5).seek).toBeCloseTo(11.35)
    expect(liveEdge(900, 1, 2).seek).toBeCloseTo(1.85)
  })

  it('is come nearer to by playing a little faster, without a jump', () => {
    expect(liveEdge(10, 5, 10.6)).toEqual({ seek: null, rate: 1.1 })
    expect(liveEdge(10, 5, 10.15)).toEqual({ seek: null, rate: 1 })
  })

  it('is kept farther away where playing has had to wait, and comes near again within a minute or two', () => {
    const waited = easeAfter(easeAfter(0.2, 'waited'), 'waited')
    expect(liveEdge(10, 5, 10.3, waited).rate).toBe(1)
    expect(easeAfter(0.45, 'waited')).toBe(0.45)
    const later = Array.from({ length: 15 * 90 }).reduce<number>((ease) => easeAfter(ease, 'picture'), waited)
    expect(liveEdge(10, 5, 10.3, later).rate).toBe(1.1)
  })
})
