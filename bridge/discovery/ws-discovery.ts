import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { detectBrand } from '../../contract/cameras/camera-brands.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { getErrorMessage } from '../runtime/log.ts'
import { readScopes } from './scopes.ts'
import { getElementText } from './xml.ts'

/** Multicast group of cameras (WS-Discovery 1.1 §2.4, ONVIF Core §7). */
const MULTICAST_GROUP = { address: '239.255.255.250', port: 3702 }
const RESPONSE_WAIT_MS = 3000
const DEVICES_MAX = 32
const ADDRESSES_MAX = 8
/**
 * Maximum number of datagrams that are parsed in each probed network, per sender and in total. A sender normally sends
 * two: one response to each of the two probes.
 */
const DATAGRAMS_MAX = { sender: 4, all: 256 }

export interface DiscoveredCamera {
  readonly host: string
  readonly name: string
  /** Id of the brand; '' if unknown (contract/cameras/camera-brands.ts). */
  readonly brand: string
  /** URL of the ONVIF device service. */
  readonly service: string
}

export interface ProbeOptions {
  readonly to?: { readonly address: string; readonly port: number }
  /** Local IPv4 addresses of the networks to probe; default: all IPv4 addresses of this computer except loopback. */
  readonly from?: readonly string[]
  readonly waitMs?: number
}

export interface ProbeResult {
  readonly found: readonly DiscoveredCamera[]
  /** Reason why probing failed in every network; undefined if at least one network could be probed. */
  readonly refused: string | undefined
}

/**
 * Probes the networks of this computer for ONVIF cameras. If no network can be probed, returns the reason in `refused`
 * instead of throwing.
 */
export async function findOnvifCameras({
  to = MULTICAST_GROUP,
  from = listLocalAddresses(),
  waitMs = RESPONSE_WAIT_MS,
}: ProbeOptions = {}): Promise<ProbeResult> {
  const results = await Promise.all(from.map((address) => probeNetwork(address, to, waitMs)))
  const found = results.flatMap((result) => result.found)
  const allFailed = results.every((result) => result.refused !== undefined)
  return {
    found: [...new Map(found.map((camera) => [camera.host, camera])).values()].slice(0, DEVICES_MAX),
    refused: allFailed ? (results[0]?.refused ?? "this computer isn't connected to a network") : undefined,
  }
}

function listLocalAddresses(): string[] {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own
    .filter((networkAddress) => networkAddress.family === 'IPv4' && !networkAddress.internal)
    .map(({ address }) => address)
}

function probeNetwork(from: string, to: { address: string; port: number }, waitMs: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const found: DiscoveredCamera[] = []
    const socket = createSocket('udp4')
    let hasEnded = false
    const end = (failure?: string) => {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      socket.close()
      resolve({ found, refused: failure })
    }
    const timer = setTimeout(() => end(), waitMs)
    const id = `uuid:${randomUUID()}`
    socket.on('error', ({ message }) => end(message))
    const isWithinBudget = createDatagramBudget()
    socket.on('message', (message, { address }) => {
      if (message.length > READ_BYTES_MAX.datagram || !containsId(message, id) || !isWithinBudget(address)) return
      const match = parseProbeMatch(message.toString(), address, id)
      if (match) found.push(match)
    })
    socket.bind(0, from, () => {
      try {
        socket.setMulticastInterface(from)
        // UDP may lose a datagram, so the probe is sent twice. `findOnvifCameras` removes duplicate responses.
        for (let i = 0; i < 2; i++)
          socket.send(createProbeMessage(id), to.port, to.address, (error) => error && end(error.message))
      } catch (error) {
        end(getErrorMessage(error))
      }
    })
  })
}

/**
 * Returns a function that counts the datagrams of each sender. That function returns true for a datagram within the
 * limits of `DATAGRAMS_MAX`.
 */
function createDatagramBudget(): (sender: string) => boolean {
  const counts = new Map<string, number>()
  let all = 0
  return (sender) => {
    const count = (counts.get(sender) ?? 0) + 1
    if (count > DATAGRAMS_MAX.sender || ++all > DATAGRAMS_MAX.all) return false
    counts.set(sender, count)
    return true
  }
}

function createProbeMessage(id: string): string {
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

const containsId = (message: Buffer, id: string) =>
  message.toString('latin1').toLowerCase().includes(id.slice('uuid:'.length))

/** Devices may answer with `urn:uuid:` instead of `uuid:`, or in upper case. */
const normalizeUuid = (id: string) => id.toLowerCase().replace(/^urn:/, '')

/**
 * Parses a response to the probe `id`; undefined if the response is invalid. Replaces the host in the camera's URL by
 * `host`, which sent the response.
 */
function parseProbeMatch(xml: string, host: string, id: string): DiscoveredCamera | undefined {
  if (normalizeUuid(getElementText(xml, 'RelatesTo') ?? '') !== normalizeUuid(id)) return undefined
  const services = (getElementText(xml, 'XAddrs') ?? '')
    .split(/\s+/, ADDRESSES_MAX)
    .flatMap((address) => URL.parse(address) ?? [])
  const service = services.find((url) => url.hostname === host) ?? services.find((url) => url.protocol === 'http:')
  if (service?.protocol !== 'http:') return undefined
  service.hostname = host
  const { name, type } = readScopes(getElementText(xml, 'Scopes') ?? '')
  return { host, name: name || `Camera at ${host}`, brand: detectBrand(type), service: service.href }
}
