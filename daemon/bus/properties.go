// SPDX-License-Identifier: Apache-2.0

package bus

import "github.com/godbus/dbus/v5"

var properties = &iface{
	name: "org.freedesktop.DBus.Properties",
	methods: []method{
		{name: "Get", in: []arg{{"interface_name", "s"}, {"property_name", "s"}}, out: []arg{{"value", "v"}}, do: func(c *call, o *object) ([]any, error) {
			p, err := o.property(c.args[0].(string), c.args[1].(string))
			if err != nil {
				return nil, err
			}
			return []any{o.value(p)}, nil
		}},
		{name: "GetAll", in: []arg{{"interface_name", "s"}}, out: []arg{{"properties", "a{sv}"}}, do: func(c *call, o *object) ([]any, error) {
			name := c.args[0].(string)
			all, known := map[string]dbus.Variant{}, name == ""
			for _, i := range o.ifaces {
				if name == "" || name == i.name {
					known = true
					for _, p := range i.properties {
						all[p.name] = o.value(&p)
					}
				}
			}
			if !known {
				return nil, failure("org.freedesktop.DBus.Error.UnknownInterface", "%s has no interface %s", o.path, name)
			}
			return []any{all}, nil
		}},
		{name: "Set", in: []arg{{"interface_name", "s"}, {"property_name", "s"}, {"value", "v"}}, do: func(c *call, o *object) ([]any, error) {
			p, err := o.property(c.args[0].(string), c.args[1].(string))
			if err != nil {
				return nil, err
			}
			return nil, failure("org.freedesktop.DBus.Error.PropertyReadOnly", "%s cannot be set; for a limit call SetMemoryMax", p.name)
		}},
	},
	signals: []signal{{"PropertiesChanged", []arg{{"interface_name", "s"}, {"changed_properties", "a{sv}"}, {"invalidated_properties", "as"}}}},
}

func (o *object) property(in, name string) (*property, error) {
	known := in == ""
	for _, i := range o.ifaces {
		if in != "" && in != i.name {
			continue
		}
		known = true
		for _, p := range i.properties {
			if p.name == name {
				return &p, nil
			}
		}
	}
	if !known {
		return nil, failure("org.freedesktop.DBus.Error.UnknownInterface", "%s has no interface %s", o.path, in)
	}
	return nil, failure("org.freedesktop.DBus.Error.UnknownProperty", "%s has no property %s", o.path, name)
}

func (o *object) value(p *property) dbus.Variant {
	return dbus.MakeVariantWithSignature(p.get(o), dbus.ParseSignatureMust(p.kind))
}

// values are the properties of an interface.
func (o *object) values(i *iface) map[string]dbus.Variant {
	all := map[string]dbus.Variant{}
	for _, p := range i.properties {
		all[p.name] = o.value(&p)
	}
	return all
}
