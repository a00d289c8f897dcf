/** Event tags. The ids on the wire are digit strings (OPEN-66); pages show the names. */

export type TagKind = 'motion' | 'sound' | 'face' | 'other'
export interface EventTag {
  readonly id: string
  readonly name: string
  readonly kind: TagKind
  /** Lucide icon name. */
  readonly icon: string
}

const tag = (id: string, name: string, kind: TagKind, icon: string): EventTag => ({ id, name, kind, icon })

/** Sound tags are in the order of TAG-07. */
export const EVENT_TAGS = [
  tag('4', 'Motion', 'motion', 'activity'),
  tag('101', 'Person', 'motion', 'person-standing'),
  tag('102', 'Vehicle', 'motion', 'car'),
  tag('103', 'Pet', 'motion', 'paw-print'),
  tag('104', 'Package', 'motion', 'package'),
  tag('5', 'Sound', 'sound', 'audio-lines'),
  tag('800001', 'Meowing', 'sound', 'cat'),
  tag('800002', 'Barking', 'sound', 'dog'),
  tag('800003', 'Crying', 'sound', 'baby'),
  tag('800005', 'Talking', 'sound', 'message-circle'),
  tag('800006', 'Gun Shot', 'sound', 'siren'),
  tag('800007', 'Glass Breaking', 'sound', 'glass-water'),
  tag('100285', 'Sound Alarm', 'sound', 'bell-ring'),
  tag('11', 'Automation', 'other', 'workflow'),
  tag('12', 'Face', 'face', 'scan-face'),
] as const satisfies readonly EventTag[]

export type TagId = (typeof EVENT_TAGS)[number]['id']

/** Tag id for each word that describes an object or a sound in the demo scenes. */
export const TAG_ID_BY_SCENE_WORD: Readonly<Record<string, TagId>> = {
  motion: '4',
  person: '101',
  vehicle: '102',
  pet: '103',
  package: '104',
  sound: '5',
  face: '12',
  Meowing: '800001',
  Barking: '800002',
  Crying: '800003',
  Talking: '800005',
  'Gun Shot': '800006',
  'Glass Breaking': '800007',
  'Sound Alarm': '100285',
}
