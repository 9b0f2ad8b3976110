package wire

// This file sends costs as the replies of one exchange.

import (
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
)

// SendCosts hands the replies that make up the costs to send: the factors, the blocks in
// order, the end. The costs must fit their program, see procmodels.Costs.Check. An error
// of send ends it.
func SendCosts(c *procmodels.Costs, send func(*pluginpb.PriceReply) error) error {
	for _, f := range c.Factors {
		m := &pluginpb.Factor{Name: f.Name, Bounded: f.Bounded}
		if err := send(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Factor{Factor: m}}); err != nil {
			return err
		}
	}
	costs := batches[*pluginpb.BlockCost]{send: func(all []*pluginpb.BlockCost) error {
		return send(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Costs{Costs: &pluginpb.Costs{Costs: all}}})
	}}
	for f := range c.Blocks {
		for b := range c.Blocks[f] {
			if err := costs.add(blockCost(c, f, b)); err != nil {
				return err
			}
		}
	}
	if err := costs.flush(); err != nil {
		return err
	}
	done := &pluginpb.Done{Warnings: c.Warnings}
	return send(&pluginpb.PriceReply{Part: &pluginpb.PriceReply_Done{Done: done}})
}

func blockCost(c *procmodels.Costs, function, block int) *pluginpb.BlockCost {
	in := &c.Blocks[function][block]
	m := &pluginpb.BlockCost{
		Function: uint32(function), Block: uint32(block),
		Cycles: in.Cycles, Best: in.Best, Worst: in.Worst,
	}
	for _, a := range in.After {
		m.After = append(m.After, &pluginpb.After{Predecessor: uint32(a.Pred), Cycles: a.Cycles})
	}
	for _, i := range in.Included {
		m.Included = append(m.Included, uint32(i))
	}
	for _, d := range in.Defaults {
		m.Defaults = append(m.Defaults, &pluginpb.Default{Reason: c.Reasons[d.Reason], Cycles: d.Cycles, Count: uint32(d.Count)})
	}
	for _, v := range in.Varies {
		m.Varies = append(m.Varies, &pluginpb.Variation{Factor: uint32(v.Factor), Down: v.Down, Up: v.Up})
	}
	return m
}
