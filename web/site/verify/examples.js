// Two certificates to try the page with: of the README's run, as `plaudit epsilon ... --digits 5 --certificate F` writes it,
// and what a forger would make of it: an epsilon that sounds better, everywhere where it stands.
export const honest = `
{"plaudit_certificate": 3, "spec": "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "laws": {"add": [{"count": 1000,
"law": "Mixture(a = 0 1.25; p = 0.996 0.004)"}], "remove": [{"count": 1000,
"law": "Mixture(a = 0 1.25; p = 0.996 0.004)"}]}, "adjacency": "add_remove", "group_size": 1, "guarantee": true,
"quantity": "epsilon", "argument": "1e-7", "lower": "2.08589641", "upper": "2.0859004",
"statements": [{"direction": "remove", "epsilon": "2.0859004", "at_most": "1e-7", "kind": "straight", "bits": 118,
"choices": {"t": [6995030822838873, -52], "h": [1492457725819787, -50], "nodes": 52, "residues": 2, "right_order": [23781,
-12], "left_order": [44981, -7], "factors": [{"axis": {"eta": [0, 0], "v": [39079, -14], "d": [49883, -15], "first": -4,
"last": 4}, "line": {"eta": [19745, -14], "v": [19745, -14], "d": [46699, -18], "first": -51, "last": 60},
"decay": {"eta": [35643, -17], "v": [37211, -17], "d": [19073, -17], "first": -40, "last": 33}, "right": {"eta": [0, 0],
"v": [39079, -14], "d": [8927, -13], "first": -6, "last": 12}, "left": {"eta": [0, 0], "v": [52451, -17], "d": [29873, -18],
"first": -39, "last": 20}}]}}, {"direction": "add", "epsilon": "2.0859004", "at_most": "1e-7", "kind": "moments",
"bits": 192, "choices": {"order": [1, 5], "factors": [{"moment": {"eta": [0, 0], "v": [62527, -15], "d": [39557, -18],
"first": -63, "last": 37}}]}}, {"direction": "remove", "epsilon": "2.08589641",
"at_least": "1.00000000000000000000000000000000000000000000000000000000000000000000000000000001e-7", "kind": "straight",
"bits": 118, "choices": {"t": [6995030822838873, -52], "h": [1492457725819787, -50], "nodes": 52, "residues": 2,
"right_order": [23781, -12], "left_order": [44981, -7], "factors": [{"axis": {"eta": [0, 0], "v": [39079, -14], "d": [49883,
-15], "first": -4, "last": 4}, "line": {"eta": [19745, -14], "v": [19745, -14], "d": [46699, -18], "first": -51,
"last": 60}, "decay": {"eta": [35643, -17], "v": [37211, -17], "d": [19073, -17], "first": -40, "last": 33},
"right": {"eta": [0, 0], "v": [39079, -14], "d": [8927, -13], "first": -6, "last": 12}, "left": {"eta": [0, 0], "v": [52451,
-17], "d": [29873, -18], "first": -39, "last": 20}}]}}]}
`;

export const forged = honest.replaceAll("2.0859004", "1.9").replaceAll("2.08589641", "1.8");
