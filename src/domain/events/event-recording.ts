import type { EventResource } from '../../../contract/events/events.ts'

const WVS_RESOURCE_VERSIONS: ReadonlySet<number> = new Set([5, 6])

/** Returns the resource type for the replay call: `kvs` of version 5 or 6 becomes `wvs` (CLIP-07). */
export function getReplayResourceType(
  resource: Pick<EventResource, 'resource_type' | 'resource_version'>,
): EventResource['resource_type'] {
  const { resource_type, resource_version } = resource
  return resource_type === 'kvs' && WVS_RESOURCE_VERSIONS.has(resource_version) ? 'wvs' : resource_type
}

/** Returns the clip of an event and its length in ms; null if the event has no clip yet. */
export function getClip(event: {
  readonly event_resources: readonly EventResource[]
}): { resource: EventResource; length: number } | null {
  const [resource] = event.event_resources
  return resource ? { resource, length: Math.max(0, resource.end_time - resource.begin_time) } : null
}
