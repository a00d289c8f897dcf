import type { SceneMoment } from '../../manifest.ts'

export const moments: Readonly<Record<string, readonly SceneMoment[]>> = {
  'day/maya': [
    {
      at: 7.5,
      text: 'Maya, a woman with long dark hair and a yellow coat, walks up the brick path carrying a paper bag.',
    },
    {
      at: 10.6,
      text: 'Maya, a woman in a yellow coat and jeans, waves from the doormat, holding a paper bag of green vegetables.',
    },
  ],
  'day/courier': [
    { at: 9.4, text: 'A courier in a blue jacket and blue cap walks up to the porch carrying a cardboard box.' },
    {
      at: 12.5,
      text: 'A courier in a blue uniform reaches out to ring the bell with a brown parcel lying on the mat.',
    },
    {
      at: 30.3,
      text: 'Sam, a man with ginger hair, a beard and a green jumper, lifts the cardboard box from the doormat.',
    },
  ],
  'day/sam': [
    {
      at: 5.4,
      text: 'Sam, a man with ginger hair, beard and glasses, waves on the doormat in a green jumper and beige trousers.',
    },
    { at: 10.5, text: 'Sam, a man in a green jumper, walks away down the brick path towards the white fence.' },
  ],
  'day/cat': [
    { at: 7, text: 'A grey cat with its tail up comes along the brick path and onto the wooden porch.' },
    { at: 10.2, text: 'A grey cat with its tail in the air stops on the doormat and looks up.' },
  ],
  'dusk/maya': [
    {
      at: 7.5,
      text: 'Maya, a woman with long dark hair and a yellow coat, walks up the brick path carrying a paper bag.',
    },
    {
      at: 10.6,
      text: 'Maya, a woman in a yellow coat and dark jeans, waves from the doormat, hugging a paper bag of green vegetables.',
    },
  ],
  'night/maya': [
    { at: 7.5, text: 'Maya, a woman in a pale coat, walks up the path from the gate carrying a paper bag.' },
    { at: 10.6, text: 'Maya, a woman with long hair and a pale coat, waves on the doormat with a full shopping bag.' },
  ],
  'night/children': [
    { at: 7, text: 'Two children carrying round glowing lanterns walk up the path towards the porch.' },
    {
      at: 10.5,
      text: 'Two children in white tops hold big round glowing lanterns by the doormat, one raising an arm.',
    },
  ],
  'night/visitor': [
    { at: 9.5, text: 'A man with short dark hair stands on the doormat and reaches out to ring the bell.' },
    { at: 13.5, text: 'A man in dark trousers turns from the doormat and walks away down the path to the gate.' },
  ],
  'night/dog-walk': [
    { at: 5, text: 'Sam, a man with a beard and glasses, waves on the porch with a large pale dog beside him.' },
    { at: 9.6, text: 'Sam walks down the path towards the gate with a pale dog at his side.' },
  ],
}
