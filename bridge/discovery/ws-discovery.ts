import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { READ_MAX } from '../limits.ts'
import { messageOf } from '../runtime/log.ts'
import { textOf } from './xml.ts'

/** Where cameras listen (WS-Discovery 1.1 §2.4, ONVIF Core §7). */
const GROUP = { address: '239.255.255.250', port: 3702 }
const WAIT_MS = 3000
/** Devices that a probe returns. */
const DEVICES_MAX = 32
/** Addresses of one device that are looked at. */
const ADDRESSES_MAX = 8
/** Datagrams that are parsed of one sender, which answers each of two questions once, and of all senders. */
const DATAGRAMS_MAX = { sender: 4, all: 256 }

export interface Found {
  /** Who answered. */
  readonly host: string
  readonly name: string
  /** The address of its device service. */
  readonly service: string
}

export interface ProbeOptions {
  readonly to?: { readonly address: string; readonly port: number }
  /** The addresses of this computer in the networks that are asked; left out: all but its own loopback. */
  readonly from?: readonly string[]
  readonly waitMs?: number
}

export interface Probed {
  readonly found: readonly Found[]
  /** Why no network could be asked; undefined: one could. */
  readonly refused: string | undefined
}

/** Asks the networks of this computer for ONVIF cameras. What it may not ask is said, nothing is thrown. */
export async function probe({ to = GROUP, from = networks(), waitMs = WAIT_MS }: ProbeOptions = {}): Promise<Probed> {
  const asked = await Promise.all(from.map((address) => ask(address, to, waitMs)))
  const found = asked.flatMap((one) => one.found)
  const refused = asked.every((one) => one.refused !== undefined)
  return {
    found: [...new Map(found.map((one) => [one.host, one])).values()].slice(0, DEVICES_MAX),
    refused: refused ? (asked[0]?.refused ?? 'this computer is in no network') : undefined,
  }
}

function networks(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.filter((one) => one.family === 'IPv4' && !one.internal).map(({ address }) => address)
}

function ask(from: string, to: { address: string; port: number }, waitMs: number): Promise<Probed> {
  return new Promise((resolve) => {
    const found: Found[] = []
    const socket = createSocket('udp4')
    let over = false
    const end = (refused?: string) => {
      if (over) return
      over = true
      clearTimeout(timer)
      socket.close()
      resolve({ found, refused })
    }
    const timer = setTimeout(() => end(), waitMs)
    const id = `uuid:${randomUUID()}`
    socket.on('error', ({ message }) => end(message))
    const isWithinBudget = datagramBudget()
    socket.on('message', (message, { address }) => {
      if (message.length > READ_MAX.datagram || !message.includes(id) || !isWithinBudget(address)) return
      const one = readMatch(message.toString(), address, id)
      if (one) found.push(one)
    })
    socket.bind(0, from, () => {
      try {
        socket.setMulticastInterface(from)
        // A datagram may be lost: it is sent twice, and answered twice at worst.
        for (let i = 0; i < 2; i++)
          socket.send(question(id), to.port, to.address, (error) => error && end(error.message))
      } catch (error) {
        end(messageOf(error))
      }
    })
  })
}

/** Returns a function that counts a datagram of a sender and says if it may be parsed. */
function datagramBudget(): (sender: string) => boolean {
  const counts = new Map<string, number>()
  let all = 0
  return (sender) => {
    const count = (counts.get(sender) ?? 0) + 1
    if (count > DATAGRAMS_MAX.sender || ++all > DATAGRAMS_MAX.all) return false
    counts.set(sender, count)
    return true
  }
}

function question(id: string): string {
  const discovery = 'http://schemas.xmlsoap.org/ws/2005/04/discovery'
  return [
    '<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"',
    ` xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="${discovery}"`,
    ' xmlns:dn="http://www.onvif.org/ver10/network/wsdl"><e:Header>',
    `<w:MessageID>${id}</w:MessageID><w:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To>`,
    `<w:Action>${discovery}/Probe</w:Action></e:Header>`,
    '<e:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>',
  ].join('')
}

/** An answer to our question, at the address that sent it. */
function readMatch(xml: string, host: string, id: string): Found | undefined {
  if (textOf(xml, 'RelatesTo') !== id) return undefined
  const services = (textOf(xml, 'XAddrs') ?? '')
    .split(/\s+/, ADDRESSES_MAX)
    .flatMap((address) => URL.parse(address) ?? [])
  const service = services.find((one) => one.hostname === host) ?? services.find((one) => one.protocol === 'http:')
  if (service?.protocol !== 'http:') return undefined
  service.hostname = host
  const scope = /onvif:\/\/www\.onvif\.org\/name\/(\S+)/i.exec(textOf(xml, 'Scopes') ?? '')?.[1] ?? ''
  return { host, name: readable(scope) || `Camera at ${host}`, service: service.href }
}

/** Names come from devices: only what belongs into a name stays. */
function readable(scope: string): string {
  try {
    return decodeURIComponent(scope)
      .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, ' ')
      .trim()
      .slice(0, 60)
  } catch {
    return ''
  }
}
